import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { cookies } from 'next/headers';
import { decode, encode } from 'next-auth/jwt';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { sessions, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { env } from '@/lib/env';
import { queueAccountNotice } from '@/lib/mail/security-notices';
import { getNetworkPrefix } from '@/lib/network/addresses';
import { describeUserAgent, formatDevice } from './describe-user-agent';
import { isSecure } from './session-token';

/** One year since the last sign-in, which renews the cookie. */
const cookieSeconds = 365 * 24 * 60 * 60;

/** The maximum number of accounts in a shared browser; the least recent one is dropped first. */
const maxAccounts = 20;

const payload = z.object({ accounts: z.array(z.string()).max(maxAccounts) });

/** Returns the name of the cookie, built like the name of the session cookie, for the same reasons. */
function deviceCookieName(): string {
  return isSecure() ? '__Host-linkmarket.device' : `linkmarket.device.${new URL(env().APP_URL).port || '80'}`;
}

/**
 * Records in a cookie that an account has signed in with this browser. If the cookie did not contain the account, the
 * user is mailed about a new device. The cookie is encrypted with NEXTAUTH_SECRET, has no other use, and is kept at
 * sign-out. The first sign-in of an account is not mailed.
 * @param tx the transaction that starts the session, before its audit entry is written
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
    text: `Your account was signed in to on a new device: ${formatDevice(describeUserAgent(userAgent))}.`,
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
 * Checks whether the account's owner has signed in from this network address in the last 30 days. Prevents an attacker
 * from locking out the account's owner with wrong passwords from other addresses.
 */
export async function isKnownAddress(email: string, address: string): Promise<boolean> {
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
  return known.some(({ ip }) => getNetworkPrefix(ip) === getNetworkPrefix(address));
}
