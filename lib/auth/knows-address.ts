import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { sessions, users } from '../../db/schema/users';
import { networkOf } from '../limits/network-of';

/**
 * Has the account's owner signed in from this network address in the last 30 days? Whoever guesses passwords from
 * elsewhere, from however many places, then does not keep them out.
 */
export async function knowsAddress(email: string, address: string): Promise<boolean> {
  if (address === '') return false;
  const known = await db()
    .selectDistinct({ ip: sessions.ip })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sql`lower(${users.email})`, email.toLowerCase()),
        isNull(users.deletedAt),
        gt(sessions.createdAt, sql`now() - interval '30 days'`),
      ),
    );
  return known.some(({ ip }) => networkOf(ip) === networkOf(address));
}
