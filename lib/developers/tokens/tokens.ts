import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { apiTokens } from '@/db/schema/api-tokens';
import { users } from '@/db/schema/users';
import { hasAccountRight } from '@/lib/access/account-roles';
import { lockAccount } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { isPermission } from '@/lib/access/permissions';
import { describeScope, listGrantableScopes, moneyScopes, type TokenScope } from '@/lib/access/token-scopes';
import { requireMember } from '@/lib/accounts/require-member';
import { hashTokenSecret, newTokenSecret } from '@/lib/auth/api-token-secret';
import { requireUnchanged } from '@/lib/auth/recent-authentication';
import { spentTodayCents } from '@/lib/auth/spend-by-token';
import { isTwoStepOverdue } from '@/lib/auth/two-step';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { queueAccountNotice, queueAdminNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { isFlagOn, requireFlag } from '@/lib/settings/feature-flags';
import type { CreateTokenInput, TokenView } from './schemas';

/** The columns of a token that its owner sees. */
const tokenColumns = {
  id: apiTokens.id,
  name: apiTokens.name,
  scopes: apiTokens.scopes,
  lastFour: apiTokens.lastFour,
  allowedIps: apiTokens.allowedIps,
  dailyLimitCents: apiTokens.dailyLimitCents,
  spentTodayCents: spentTodayCents.mapWith(Number),
  createdAt: apiTokens.createdAt,
  expiresAt: apiTokens.expiresAt,
  lastUsedAt: apiTokens.lastUsedAt,
  lastUsedIp: apiTokens.lastUsedIp,
};

/** Of a token of a team: the member with whose rights it acts. */
const memberColumns = { userId: users.id, name: users.name, email: users.email };

type TokenRow = Omit<TokenView, 'createdAt' | 'expiresAt' | 'lastUsedAt' | 'member'> & {
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
};

const tokenView = ({ createdAt, expiresAt, lastUsedAt, ...token }: TokenRow): TokenView => ({
  ...token,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt?.toISOString() ?? null,
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

/** Builds the condition for the tokens that the actor manages: the own ones of the account, for its owner those of all members. */
const isManaged = ({ userId, accountId, accountRole }: Actor): SQL | undefined =>
  and(
    eq(apiTokens.accountId, accountId),
    accountRole === 'owner' ? undefined : eq(apiTokens.userId, userId),
    isNull(apiTokens.revokedAt),
  );

/**
 * Lists the API tokens of the account that are not revoked, the newest first; also expired ones. A member other than an
 * owner sees the own ones.
 */
export async function listTokens(actor: Actor): Promise<TokenView[]> {
  const rows = await db()
    .select({ ...tokenColumns, member: memberColumns })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(isManaged(actor))
    .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id));
  return rows.map(({ member, ...row }) => ({ ...tokenView(row), ...(isTeam(actor) && { member }) }));
}

const isTeam = ({ userId, accountId }: Actor): boolean => userId !== accountId;

/** A scope that the user can give to a token. */
export type ScopeChoice = { name: string; description: string; isMoney: boolean; isPermission: boolean };

export type TokenOverview = {
  tokens: TokenView[];
  scopes: ScopeChoice[];
  /** False while the flag `api-tokens` is off: existing tokens are refused, and none can be created. */
  isOn: boolean;
};

/**
 * Reads the API tokens of the security page, which the portals share.
 * @returns null while two-step sign-in is overdue, which leaves only its setup, and for a member without tokens
 */
export async function getTokenOverview(actor: Actor): Promise<TokenOverview | null> {
  if (isTwoStepOverdue(actor) || !hasAccountRight(actor.accountRole, 'account:programs')) return null;
  const [tokens, isOn] = await Promise.all([listTokens(actor), isFlagOn('api-tokens')]);
  const scopes = listGrantableScopes(actor).map((name) => ({
    name,
    description: describeScope(name),
    isMoney: moneyScopes.includes(name),
    isPermission: isPermission(name),
  }));
  return { tokens, scopes, isOn };
}

/** The most API tokens of a user that are not revoked, including expired ones, in all accounts. */
export const maxTokens = 20;

/**
 * Creates an API token of the account, which acts with the rights of the actor there, and mails the actor. The caller has checked that the password was entered recently.
 * @returns the token with its secret, which is not stored
 * @throws AppError forbidden for a scope that the user does not hold and after the loss of the role, not_found after the end
 * of the membership, invalid_input for an end in the past, conflict
 * beyond the maximum, not_configured while API tokens are off
 */
export async function createToken(actor: Actor, input: CreateTokenInput): Promise<TokenView & { token: string }> {
  const scopes = requireGrantable(actor, input.scopes);
  const expiresAt = input.expiresAt ? new Date(input.expiresAt) : null;
  if (expiresAt && expiresAt.getTime() <= Date.now()) {
    const message = 'The end of the token must be in the future.';
    throw new AppError('invalid_input', message, { fields: { expiresAt: message } });
  }
  const secret = newTokenSecret();
  return db().transaction(async (tx) => {
    await requireFlag('api-tokens', tx);
    // Locks the user's row, so that the count is exact.
    await requireUnchanged(tx, actor);
    await lockAccount(tx, actor.accountId);
    await requireMember(tx, actor, actor.accountId, 'account:programs');
    const own = await tx
      .select({ id: apiTokens.id })
      .from(apiTokens)
      .where(and(eq(apiTokens.userId, actor.userId), isNull(apiTokens.revokedAt)));
    if (own.length >= maxTokens) {
      throw new AppError('conflict', `You already have ${maxTokens} API tokens. Revoke one that you no longer use.`);
    }
    const { name, allowedIps, dailyLimitCents = null } = input;
    const [created] = await tx
      .insert(apiTokens)
      .values({
        id: newId(),
        userId: actor.userId,
        accountId: actor.accountId,
        name,
        secretHash: hashTokenSecret(secret),
        lastFour: secret.slice(-4),
        scopes,
        expiresAt,
        allowedIps,
        dailyLimitCents,
      })
      .returning(tokenColumns);
    if (!created) throw new Error('The insert returned no row.');
    const view = tokenView(created);
    const details = `${actor.email} created the API token “${name}” with the scopes ${scopes.join(', ')}.`;
    await recordAudit(tx, actor, {
      action: 'api_token.created',
      details,
      entityType: 'api_token',
      entityId: created.id,
      after: { name, scopes, expiresAt: view.expiresAt, allowedIps, dailyLimitCents },
    });
    await queueAccountNotice(tx, actor.email, {
      subject: 'An API token was created',
      text: `The API token “${name}” with the scopes ${scopes.join(', ')} was created for ${actor.accountName || 'your account'}.`,
      from: actor.ip,
    });
    if (scopes.some(isPermission)) {
      await queueAdminNotice(tx, actor, {
        subject: 'An API token with permissions of staff was created',
        text: details,
      });
    }
    return { ...view, token: secret };
  });
}

/**
 * Adds AdminDashboard to the permissions, without which no other one counts.
 * @throws AppError forbidden for a scope that the user does not hold
 */
function requireGrantable(actor: Actor, requested: readonly TokenScope[]): TokenScope[] {
  const grantable = listGrantableScopes(actor);
  const missing = requested.filter((scope) => !grantable.includes(scope));
  if (missing.length > 0) {
    throw new AppError('forbidden', `You cannot give a token scopes that you do not have: ${missing.join(', ')}.`);
  }
  const all: TokenScope[] = requested.some(isPermission) ? ['AdminDashboard', ...requested] : [...requested];
  return grantable.filter((scope) => all.includes(scope));
}

/**
 * Revokes an API token that the actor lists: it is refused from the next request.
 * @throws AppError not_found for a token of another user or account, and when it was already revoked
 */
export async function revokeToken(actor: Actor, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    const [revoked] = await tx
      .update(apiTokens)
      .set({ revokedAt: sql`now()` })
      .where(and(eq(apiTokens.id, id), isManaged(actor)))
      .returning({ name: apiTokens.name });
    if (!revoked) throw new AppError('not_found', 'This API token does not exist or was already revoked.');
    await recordAudit(tx, actor, {
      action: 'api_token.revoked',
      details: `${actor.email} revoked the API token “${revoked.name}”.`,
      entityType: 'api_token',
      entityId: id,
    });
  });
}
