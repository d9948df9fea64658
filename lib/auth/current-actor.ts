import 'server-only';
import DataLoader from 'dataloader';
import { and, eq, gt, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { cookies, headers } from 'next/headers';
import { cache } from 'react';
import { db } from '@/db/client';
import { prepared } from '@/db/prepared';
import { accountMembers, accounts } from '@/db/schema/accounts';
import { sessions, users } from '@/db/schema/users';
import { parseSeen, selectSeen } from '@/db/write-position';
import { accountCookie } from '@/lib/access/account-choice';
import { personalAccount } from '@/lib/access/account-roles';
import { accountNotFoundError, isUsableAccount } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { grantedPermissions, hasPermission, memberAccounts, teamName } from '@/lib/access/authorize';
import { isPermission } from '@/lib/access/permissions';
import { recordUserAudit } from '@/lib/platform/audit/record';
import { clientIp } from '@/lib/platform/http/client-ip';
import { getRequestId, setRequestActor } from '@/lib/platform/log/open-requests';
import { settingsVersion, shareSettingsVersion } from '@/lib/settings/settings';
import { reauthenticationSeconds } from './recent-authentication';
import { decodeSessionToken, sessionCookieName } from './session-token';
import { exceedsStaffRules } from './staff-session-rules';
import { twoStepDueAt } from './two-step';
import { toViewedActor } from './viewing';

/**
 * Returns the signed-in user. The session must be active and the account Active in the database, so that sign-out,
 * suspension, deletion and a changed role take effect at the next request. Cached per request (React `cache`).
 * @returns null without a valid session
 */
export const currentActor = cache(async (): Promise<Actor | null> => {
  const found = findPageActor();
  // A page whose session cannot be read reads the settings by themselves.
  shareSettingsVersion(found.then(({ settingsVersion: version }) => version).catch(() => undefined));
  return (await found).actor;
});

async function findPageActor() {
  const [cookieJar, headerList] = await Promise.all([cookies(), headers()]);
  return findActor({ cookies: cookieJar, headers: headerList });
}

/** The parts of a request that identify its user. */
type Caller = {
  headers: Pick<Headers, 'get'>;
  cookies: { get(name: string): { value: string } | undefined };
};

/**
 * Finds the user of a request, and reads one more text and the version of the settings in the same round trip. A session of staff
 * ends here when it exceeded its idle time or maximum duration (staff-session-rules.ts). In a session that shows another
 * user's portal the actor is that user, read-only (viewing.ts).
 * @param alongside an expression without tables of the outer query; the same object in each call
 * @param isBackground the page makes the request without user input, e.g. for progress: it does not count as activity
 * @param accountId the account that the request names; by default in its header
 * @throws AppError not_found when the user is no member of the account that the request names
 */
export async function findActor(
  caller: Caller,
  {
    alongside = emptyText,
    isBackground = false,
    accountId,
  }: { alongside?: SQL<string>; isBackground?: boolean; accountId?: string | undefined } = {},
): Promise<{ actor: Actor | null; alongside: string | null; settingsVersion?: string }> {
  const token = bearerToken(caller.headers.get('authorization')) ?? caller.cookies.get(sessionCookieName())?.value;
  const claims = token ? await decodeSessionToken(token) : null;
  if (!claims) return { actor: null, alongside: null };

  const named = accountId ?? caller.headers.get(accountHeader);
  const asked = named ?? caller.cookies.get(accountCookie)?.value ?? '';
  const row = await getSessionLoader(alongside).load(sessionKey(claims.sessionId, asked));
  if (row?.userId !== claims.userId) return { actor: null, alongside: null };
  const { isStale, isOver, dueAt, viewedUserId, viewEndsAt, membership, seen, ...read } = row;
  const { key: _, alongside: text, settingsVersion: version, ...person } = read;
  if (named !== null && !membership) throw accountNotFoundError();
  const requestId = getRequestId(caller.headers);
  const actor = {
    ...person,
    ...(membership ?? personalAccount(row.userId)),
    permissions: row.permissions.filter(isPermission),
    twoStepDueAt: dueAt === null ? null : new Date(dueAt),
    source: 'web' as const,
    ip: clientIp(caller.headers),
    requestId,
    seen: parseSeen(seen),
  };
  if (isOver && hasPermission(actor, 'AdminDashboard')) {
    await endExpiredSession(actor);
    return { actor: null, alongside: null };
  }
  if (isStale && !isBackground) await recordActivity(row);
  setRequestActor(requestId, { actorId: row.userId });
  if (viewedUserId === null || viewEndsAt === null) return { actor, alongside: text, settingsVersion: version };
  const viewed = await toViewedActor(actor, viewedUserId, viewEndsAt);
  return { actor: viewed, alongside: text, settingsVersion: version };
}

/** Names the account that a request acts for, instead of the one chosen in the switcher. */
export const accountHeader = 'x-account';

/** Skips the user's row while another transaction has locked it, because a request must not wait for that. */
async function recordActivity({ sessionId, userId }: { sessionId: string; userId: string }): Promise<void> {
  const unlocked = db().select({ id: users.id }).from(users).where(eq(users.id, userId));
  await db().update(sessions).set({ lastSeenAt: sql`now()` }).where(eq(sessions.id, sessionId));
  await db()
    .update(users)
    .set({ lastSeenAt: sql`now()` })
    .where(inArray(users.id, unlocked.for('no key update', { skipLocked: true })));
}

/** Ends a session permanently, so that a longer timeout set later does not reactivate it. */
async function endExpiredSession(actor: Actor): Promise<void> {
  await db().transaction(async (tx) => {
    const ended = await tx
      .update(sessions)
      .set({ endedAt: sql`now()` })
      .where(and(eq(sessions.id, actor.sessionId), isNull(sessions.endedAt), exceedsStaffRules))
      .returning({ id: sessions.id });
    if (ended.length === 0) return;
    await recordUserAudit(
      tx,
      actor,
      'session.timed_out',
      `The session of ${actor.email} ended: it was idle for too long, or had reached the maximum length for staff.`,
    );
  });
}

const emptyText = sql<string>`''`;

type LoadedSession = Awaited<ReturnType<ReturnType<typeof prepareSessionQuery>['execute']>>[number];
const loaders = new Map<SQL<string>, DataLoader<string, LoadedSession | null>>();

/**
 * Loads active sessions by `sessionKey`, with their users and memberships. Concurrent requests share one query: under load a round trip per
 * request would be the largest cost of a response from memory. Nothing is cached (`cache: false`), and the query is
 * sent after all of its ids were requested, so that each result is as current as that of a separate query.
 */
function getSessionLoader(alongside: SQL<string>): DataLoader<string, LoadedSession | null> {
  const known = loaders.get(alongside);
  if (known) return known;
  const query = prepared(() => prepareSessionQuery(alongside));
  const loader = new DataLoader<string, LoadedSession | null>(
    async (keys) => {
      const rows = await query().execute({ keys: keys.join(',') });
      const byKey = new Map(rows.map((row) => [row.key, row]));
      return keys.map((key) => byKey.get(key) ?? null);
    },
    { cache: false, batchScheduleFn: setImmediate },
  );
  loaders.set(alongside, loader);
  return loader;
}

/** Joins the ids of a session and an account, '' for the personal one. An account id of other characters is unknown. */
const sessionKey = (sessionId: string, accountId: string) =>
  `${sessionId}:${/^[\w-]{0,64}$/.test(accountId) ? accountId : 'unknown'}`;

function prepareSessionQuery(alongside: SQL<string>) {
  return db()
    .select({
      key: sql<string>`asked.key`,
      memberOf: memberAccounts,
      membership: {
        accountId: accountMembers.accountId,
        accountName: teamName,
        accountRole: accountMembers.role,
        projectIds: accountMembers.projectIds,
      },
      userId: users.id,
      sessionId: sessions.id,
      email: users.email,
      name: users.name,
      role: users.role,
      status: users.status,
      isStale: sql<boolean>`${sessions.lastSeenAt} < now() - interval '1 minute'`,
      isOver: exceedsStaffRules,
      dueAt: twoStepDueAt,
      hasRecentAuthentication: sql<boolean>`${sessions.authenticatedAt} > now() - make_interval(secs => ${sql.raw(String(reauthenticationSeconds))})`,
      permissions: grantedPermissions,
      seen: selectSeen(sql`${users.id}`, sql`${accountMembers.accountId}`),
      viewedUserId: sessions.viewedUserId,
      viewEndsAt: sessions.viewEndsAt,
      alongside: sql<string>`${alongside}`.as('alongside'),
      settingsVersion: settingsVersion.as('settings_version'),
    })
    .from(sql`unnest(string_to_array(${sql.placeholder('keys')}, ',')) as asked(key)`)
    .innerJoin(sessions, sql`${sessions.id} = split_part(asked.key, ':', 1)`)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(accounts, and(sql`${accounts.id} = split_part(asked.key, ':', 2)`, isUsableAccount))
    .leftJoin(accountMembers, and(eq(accountMembers.accountId, accounts.id), eq(accountMembers.userId, users.id)))
    .where(
      and(
        isNull(sessions.endedAt),
        gt(sessions.expiresAt, sql`now()`),
        eq(users.status, 'Active'),
        isNull(users.deletedAt),
      ),
    )
    .prepare('session');
}

/** Returns the token of "Authorization: Bearer …", or null. */
export function bearerToken(authorization: string | null): string | null {
  return /^Bearer ([\w.-]+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
