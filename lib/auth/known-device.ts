import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { cookies } from 'next/headers';
import { decode, encode } from 'next-auth/jwt';
import { z } from 'zod';
import { db, type Executor } from '../../db/client';
import { auditLogs } from '../../db/schema/audit';
import { sessions, users } from '../../db/schema/users';
import type { Actor } from '../access/actor';
import { env } from '../env';
import { queueAccountNotice } from '../mail/security-notices';
import { networkOf } from '../network/network-of';
import { describeUserAgent, deviceName } from './describe-user-agent';
import { isSecure } from './session-token';

/** A year since the last sign-in, which writes the cookie anew. */
const cookieSeconds = 365 * 24 * 60 * 60;

/** People who share a browser; the one who signed in longest ago is dropped first. */
const maxAccounts = 20;

const payload = z.object({ accounts: z.array(z.string()).max(maxAccounts) });

/** Named like the session's cookie, for the same reasons. */
function deviceCookieName(): string {
  return isSecure() ? '__Host-linkmarket.device' : `linkmarket.device.${new URL(env().APP_URL).port || '80'}`;
}

/**
 * Notes in this browser that an account has signed in here, and mails the person where it had not: a sign-in from a
 * browser without our cookie for the account is a new device, wherever it is. The cookie is encrypted with
 * NEXTAUTH_SECRET, proves nothing but this, and stays after signing out. The very first sign-in of an account is not
 * mailed.
 * @param tx the transaction that opens the session, before its audit line
 */
export async function recognizeDevice(
  tx: Executor,
  { userId, email }: Pick<Actor, 'userId' | 'email'>,
  { ip, userAgent }: { ip: string; userAgent: string },
): Promise<void> {
  const jar = await cookies();
  const known = await readAccounts(jar.get(deviceCookieName())?.value);
  const accounts = [userId, ...known.filter((id) => id !== userId)].slice(0, maxAccounts);
  jar.set(
    deviceCookieName(),
    await encode({ token: { accounts }, secret: env().NEXTAUTH_SECRET, salt: 'device', maxAge: cookieSeconds }),
    { httpOnly: true, sameSite: 'lax', secure: isSecure(), path: '/', maxAge: cookieSeconds },
  );
  if (known.includes(userId) || !(await hasSignedIn(tx, userId))) return;
  await queueAccountNotice(tx, email, {
    subject: 'New sign-in to your account',
    text: `Your account was signed in to on a device that it had not been used on before: ${deviceName(describeUserAgent(userAgent))}.`,
    from: ip,
  });
}

async function readAccounts(token: string | undefined): Promise<string[]> {
  if (!token) return [];
  const claims = await decode({ token, secret: env().NEXTAUTH_SECRET, salt: 'device' }).catch(() => null);
  return payload.safeParse(claims).data?.accounts ?? [];
}

async function hasSignedIn(tx: Executor, userId: string): Promise<boolean> {
  const [line] = await tx
    .select({ id: auditLogs.id })
    .from(auditLogs)
    .where(and(eq(auditLogs.userId, userId), eq(auditLogs.action, 'session.started')))
    .limit(1);
  return line !== undefined;
}

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
