import { and, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { apiTokens } from '@/db/schema/api-tokens';
import type { Actor } from '@/lib/access/actor';
import { isPermission } from '@/lib/access/permissions';
import { listGrantableScopes, type TokenScope } from '@/lib/access/token-scopes';
import { hashTokenSecret, newTokenSecret } from '@/lib/auth/api-token-secret';
import { requireUnchanged } from '@/lib/auth/require-recent-authentication';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { queueAccountNotice, queueAdminNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireFlag } from '@/lib/settings/feature-flags/read-flags';
import { tokenColumns, tokenView } from './list';
import type { CreateTokenInput, TokenView } from './schemas';

/** The most API tokens of a user that are not revoked, including expired ones. */
export const maxTokens = 20;

/**
 * Creates an API token and mails its owner. The caller has checked that the password was entered recently.
 * @returns the token with its secret, which is not stored
 * @throws AppError forbidden for a scope that the user does not hold, invalid_input for an end in the past, conflict
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
      text: `The API token “${name}” with the scopes ${scopes.join(', ')} was created for your account.`,
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
function requireGrantable(actor: Actor, wanted: readonly TokenScope[]): TokenScope[] {
  const grantable = listGrantableScopes(actor);
  const missing = wanted.filter((scope) => !grantable.includes(scope));
  if (missing.length > 0) {
    throw new AppError('forbidden', `You cannot give a token scopes that you do not have: ${missing.join(', ')}.`);
  }
  const all: TokenScope[] = wanted.some(isPermission) ? ['AdminDashboard', ...wanted] : [...wanted];
  return grantable.filter((scope) => all.includes(scope));
}
