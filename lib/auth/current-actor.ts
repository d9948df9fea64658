import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { cookies, headers } from 'next/headers';
import { cache } from 'react';
import { db } from '../../db/client';
import { sessions, users } from '../../db/schema/users';
import { grantedPermissions } from '../acl/granted-permissions';
import { isPermission } from '../acl/permissions';
import { clientIp } from '../http/client-ip';
import { noteActor, requestIdOf } from '../log/open-requests';
import type { Actor } from './actor';
import { decodeSessionToken, sessionCookieName } from './session-token';

/**
 * Who is asking, decided against the database: the session must be running and the person Active, so that sign-out,
 * suspension, deletion and a changed role count at the next request. Once per request (React `cache`).
 * @returns null for nobody
 */
export const currentActor = cache(async (): Promise<Actor | null> => (await findActor()).actor);

/**
 * The same, with one more text out of the database in the same round trip.
 * @param alongside an expression without tables of the outer query, the same object at each call
 */
export async function findActor(alongside?: SQL<string>): Promise<{ actor: Actor | null; alongside: string | null }> {
  const [cookieJar, headerList] = await Promise.all([cookies(), headers()]);
  const token = bearerToken(headerList.get('authorization')) ?? cookieJar.get(sessionCookieName())?.value;
  const claims = token ? await decodeSessionToken(token) : null;
  if (!claims) return { actor: null, alongside: null };

  const [row] = await sessionQuery(alongside ?? nothing).execute({ ...claims });
  if (!row) return { actor: null, alongside: null };
  const { isStale, alongside: text, ...person } = row;
  if (isStale) await db().update(sessions).set({ lastSeenAt: sql`now()` }).where(eq(sessions.id, row.sessionId));
  const requestId = requestIdOf(headerList);
  noteActor(requestId, row.userId);
  const actor = {
    ...person,
    permissions: row.permissions.filter(isPermission),
    source: 'web' as const,
    ip: clientIp(headerList),
    requestId,
  };
  return { actor, alongside: text };
}

const nothing = sql<string>`''`;

type SessionQuery = ReturnType<typeof prepareSessionQuery>;
let prepared: { on: ReturnType<typeof db>; queries: Map<SQL<string>, SessionQuery> } | undefined;

/** Prepared once: it runs in every request, and writing and planning it would cost more than the rows. */
function sessionQuery(alongside: SQL<string>): SessionQuery {
  const on = db();
  if (prepared?.on !== on) prepared = { on, queries: new Map() };
  const query = prepared.queries.get(alongside) ?? prepareSessionQuery(alongside);
  prepared.queries.set(alongside, query);
  return query;
}

function prepareSessionQuery(alongside: SQL<string>) {
  return db()
    .select({
      userId: users.id,
      sessionId: sessions.id,
      email: users.email,
      name: users.name,
      role: users.role,
      status: users.status,
      isStale: sql<boolean>`${sessions.lastSeenAt} < now() - interval '5 minutes'`,
      permissions: grantedPermissions,
      alongside: sql<string>`${alongside}`.as('alongside'),
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.id, sql.placeholder('sessionId')),
        eq(sessions.userId, sql.placeholder('userId')),
        isNull(sessions.endedAt),
        gt(sessions.expiresAt, sql`now()`),
        eq(users.status, 'Active'),
        isNull(users.deletedAt),
      ),
    )
    .prepare('session');
}

/** The token of "Authorization: Bearer …", or null. */
export function bearerToken(authorization: string | null): string | null {
  return /^Bearer ([\w.-]+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
