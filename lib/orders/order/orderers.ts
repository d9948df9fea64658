import { inArray } from 'drizzle-orm';
import { db } from '@/db/client';
import type { orders } from '@/db/schema/orders';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';

/**
 * Reads the names of the members who ordered, by the numbers of the orders. In the personal account of the actor, only of
 * what other members ordered.
 */
export async function listOrderers(
  { userId, accountId }: Pick<Actor, 'userId' | 'accountId'>,
  listed: readonly Pick<typeof orders.$inferSelect, 'id' | 'orderedBy'>[],
): Promise<ReadonlyMap<number, string>> {
  const named = accountId === userId ? listed.filter(({ orderedBy }) => orderedBy !== userId) : listed;
  if (named.length === 0) return new Map();
  const found = await db()
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, [...new Set(named.map(({ orderedBy }) => orderedBy))]));
  const names = new Map(found.map(({ id, name, email }) => [id, name || email]));
  return new Map(named.map(({ id, orderedBy }) => [id, names.get(orderedBy) ?? '']));
}
