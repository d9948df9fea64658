import 'server-only';
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { NextRequest } from 'next/server';
import { db } from '@/db/client';
import { prepared } from '@/db/prepared';
import { accountMembers, accounts } from '@/db/schema/accounts';
import { apiTokens } from '@/db/schema/api-tokens';
import { users } from '@/db/schema/users';
import { parseSeen, selectSeen } from '@/db/write-position';
import { isUsableAccount } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { grantedPermissions, memberAccounts, teamName } from '@/lib/access/authorize';
import { isPermission } from '@/lib/access/permissions';
import { limitToScopes } from '@/lib/access/token-scopes';
import { AppError } from '@/lib/errors';
import { createAddressRanges } from '@/lib/network/addresses';
import { clientIp } from '@/lib/platform/http/client-ip';
import { log } from '@/lib/platform/log/log';
import { getRequestId, setRequestActor } from '@/lib/platform/log/open-requests';
import { consumeQuota } from '@/lib/platform/rate-limits/consume';
import { flagKey, flags, isFlagOffIn } from '@/lib/settings/feature-flags';
import { hashTokenSecret, isTokenSecret, isWellFormedSecret } from './api-token-secret';
import { accountHeader, bearerToken, findActor } from './current-actor';
import { twoStepDueAt } from './two-step';

/**
 * Finds the user of a request with an API token, counts the request, and reads one more text from the database in the
 * same round trip. The token and the account are read at every request, so that a revoked token, a suspended account and
 * a lost permission take effect at the next one.
 * @param alongside an expression without tables of the outer query; the same object in each call
 * @param responseHeaders receives RateLimit, RateLimit-Policy and WWW-Authenticate
 * @throws AppError unauthenticated for a token that is unknown, revoked, expired, or used from another address;
 * not_configured while API tokens are off; rate_limited
 */
export async function authenticateToken(
  secret: string,
  {
    headers,
    alongside = emptyText,
    responseHeaders,
  }: { headers: Pick<Headers, 'get'>; alongside?: SQL<string> | undefined; responseHeaders: Headers },
): Promise<{ actor: Actor; alongside: string }> {
  const [row] = isWellFormedSecret(secret)
    ? await getTokenQuery(alongside)().execute({ hash: hashTokenSecret(secret) })
    : [];
  const ip = clientIp(headers);
  if (!row || !isAllowedFrom(row.allowedIps, ip)) {
    // The same answer for both: it does not confirm a stolen token. The log tells the operator.
    if (row) log().warn({ credentialId: row.id, actorId: row.userId }, 'An API token was used from another address.');
    throw refuse(responseHeaders, 'This API token does not exist, or cannot be used from your IP address.');
  }
  if (row.isRevoked) throw refuse(responseHeaders, 'This API token was revoked. Create a new one.');
  if (row.isExpired) throw refuse(responseHeaders, 'This API token has expired. Create a new one.');
  if (row.isOff) throw new AppError('not_configured', flags['api-tokens'].off);
  const named = headers.get(accountHeader);
  if (named !== null && named !== row.accountId) {
    throw new AppError('forbidden', 'This API token belongs to another account. Omit X-Account, or use a token of it.');
  }
  await countRequest(row.id, responseHeaders);
  if (row.isStale) await recordUse(row.id, ip);

  const { id, name, scopes, userId, email, userName, role, status, dueAt } = row;
  const { accountId, accountName, accountRole, projectIds, memberOf } = row;
  const requestId = getRequestId(headers);
  setRequestActor(requestId, { actorId: userId, credentialId: id, credentialName: name });
  const actor = {
    ...{ accountId, accountName, accountRole, projectIds, memberOf },
    userId,
    sessionId: '',
    email,
    name: userName,
    role,
    status,
    permissions: limitToScopes(scopes, { role, permissions: row.permissions.filter(isPermission) }),
    hasRecentAuthentication: false,
    twoStepDueAt: dueAt === null ? null : new Date(dueAt),
    token: { id, name, scopes },
    source: 'token' as const,
    ip,
    requestId,
    seen: parseSeen(row.seen),
  };
  return { actor, alongside: row.alongside };
}

/** Refuses a token (RFC 6750, section 3). */
function refuse(responseHeaders: Headers, message: string): AppError {
  responseHeaders.set('WWW-Authenticate', 'Bearer realm="LinkMarket", error="invalid_token"');
  return new AppError('unauthenticated', message);
}

const isAllowedFrom = (allowedIps: string[], ip: string) =>
  allowedIps.length === 0 || createAddressRanges(allowedIps).has(ip);

/**
 * Counts a request of a token. All instances share the count. The headers are those of
 * draft-ietf-httpapi-ratelimit-headers: the policy, and what is left of it until the window ends.
 */
async function countRequest(tokenId: string, responseHeaders: Headers): Promise<void> {
  const { rule, left, secondsLeft } = await consumeQuota('token', tokenId);
  responseHeaders.set('RateLimit-Policy', `"token";q=${rule.max};w=${rule.seconds}`);
  responseHeaders.set('RateLimit', `"token";r=${Math.max(left, 0)};t=${secondsLeft}`);
  if (left >= 0) return;
  throw new AppError(
    'rate_limited',
    `This API token made more than ${rule.max} requests in a minute. Wait as long as Retry-After says and try again.`,
    { retryAfterSeconds: secondsLeft },
  );
}

/** Skips a row that an order has locked, because a request must not wait for that. */
async function recordUse(tokenId: string, ip: string): Promise<void> {
  const unlocked = db().select({ id: apiTokens.id }).from(apiTokens).where(eq(apiTokens.id, tokenId));
  await db()
    .update(apiTokens)
    .set({ lastUsedAt: sql`now()`, lastUsedIp: ip })
    .where(inArray(apiTokens.id, unlocked.for('no key update', { skipLocked: true })));
}

const emptyText = sql<string>`''`;
const queries = new Map<SQL<string>, ReturnType<typeof prepareTokenQuery>>();

function getTokenQuery(alongside: SQL<string>): ReturnType<typeof prepareTokenQuery> {
  const known = queries.get(alongside);
  if (known) return known;
  const query = prepareTokenQuery(alongside);
  queries.set(alongside, query);
  return query;
}

function prepareTokenQuery(alongside: SQL<string>) {
  return prepared((on) =>
    on
      .select({
        id: apiTokens.id,
        name: apiTokens.name,
        scopes: apiTokens.scopes,
        allowedIps: apiTokens.allowedIps,
        isRevoked: sql<boolean>`${apiTokens.revokedAt} is not null`,
        isExpired: sql<boolean>`coalesce(${apiTokens.expiresAt} <= now(), false)`,
        isStale: sql<boolean>`coalesce(${apiTokens.lastUsedAt} < now() - interval '1 minute', true)`,
        isOff: isFlagOffIn(flagKey('api-tokens')),
        accountId: accounts.id,
        accountName: teamName,
        accountRole: accountMembers.role,
        projectIds: accountMembers.projectIds,
        memberOf: memberAccounts,
        userId: users.id,
        email: users.email,
        userName: users.name,
        role: users.role,
        status: users.status,
        dueAt: twoStepDueAt,
        permissions: grantedPermissions,
        seen: selectSeen(sql`${users.id}`, sql`${accounts.id}`),
        alongside: sql<string>`${alongside}`.as('alongside'),
      })
      .from(apiTokens)
      .innerJoin(users, eq(users.id, apiTokens.userId))
      // A token ends with its person's membership.
      .innerJoin(
        accountMembers,
        and(eq(accountMembers.accountId, apiTokens.accountId), eq(accountMembers.userId, apiTokens.userId)),
      )
      .innerJoin(accounts, and(eq(accounts.id, apiTokens.accountId), isUsableAccount))
      .where(
        and(eq(apiTokens.secretHash, sql.placeholder('hash')), eq(users.status, 'Active'), isNull(users.deletedAt)),
      )
      .prepare('api_token'),
  );
}

/**
 * Finds the caller of a public address that answers signed-in callers with more.
 * @returns null without a session or API token, and with one that is not valid
 * @throws AppError rate_limited for an API token; not_configured while API tokens are off
 */
export async function findOptionalActor(request: NextRequest): Promise<Actor | null> {
  const bearer = bearerToken(request.headers.get('authorization'));
  if (bearer === null || !isTokenSecret(bearer)) return (await findActor(request)).actor;
  try {
    const { actor } = await authenticateToken(bearer, { headers: request.headers, responseHeaders: new Headers() });
    return actor;
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'unauthenticated') return null;
    throw thrown;
  }
}
