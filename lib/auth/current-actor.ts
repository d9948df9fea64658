import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { cookies, headers } from 'next/headers';
import { cache } from 'react';
import { db } from '../../db/client';
import { rolePermissions, sessions, users } from '../../db/schema/users';
import { isPermission } from '../acl/permissions';
import { clientIp } from '../http/client-ip';
import type { Actor } from './actor';
import { decodeSessionToken, sessionCookieName } from './session-token';

/**
 * Who is asking, decided against the database: the session must be running and the person Active, so that sign-out,
 * suspension, deletion and a changed role count at the next request. Once per request (React `cache`).
 * @returns null for nobody
 */
export const currentActor = cache(async (): Promise<Actor | null> => {
  const [cookieJar, headerList] = await Promise.all([cookies(), headers()]);
  const token = bearerToken(headerList.get('authorization')) ?? cookieJar.get(sessionCookieName())?.value;
  if (!token) return null;
  const claims = await decodeSessionToken(token);
  if (!claims) return null;

  const [row] = await db()
    .select({
      userId: users.id,
      sessionId: sessions.id,
      email: users.email,
      name: users.name,
      role: users.role,
      status: users.status,
      isStale: sql<boolean>`${sessions.lastSeenAt} < now() - interval '5 minutes'`,
      permissions: sql<
        string[]
      >`array(select ${rolePermissions.permission} from ${rolePermissions} where ${rolePermissions.roleName} = ${users.role})`,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.id, claims.sessionId),
        eq(sessions.userId, claims.userId),
        isNull(sessions.endedAt),
        gt(sessions.expiresAt, sql`now()`),
        eq(users.status, 'Active'),
        isNull(users.deletedAt),
      ),
    );
  if (!row) return null;
  const { isStale, ...person } = row;
  if (isStale) await db().update(sessions).set({ lastSeenAt: sql`now()` }).where(eq(sessions.id, row.sessionId));
  return {
    ...person,
    permissions: row.permissions.filter(isPermission),
    source: 'web',
    ip: clientIp(headerList),
    requestId: headerList.get('x-request-id') ?? '',
  };
});

/** The token of "Authorization: Bearer …", or null. */
export function bearerToken(authorization: string | null): string | null {
  return /^Bearer ([\w.-]+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
