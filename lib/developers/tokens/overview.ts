import type { Actor } from '@/lib/access/actor';
import { isPermission } from '@/lib/access/permissions';
import { describeScope, listGrantableScopes, moneyScopes } from '@/lib/access/token-scopes';
import { isTwoStepOverdue } from '@/lib/auth/two-step-rule';
import { isFlagOn } from '@/lib/settings/feature-flags/read-flags';
import { listTokens } from './list';
import type { TokenView } from './schemas';

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
 * @returns null while two-step sign-in is overdue, which leaves only its setup
 */
export async function getTokenOverview(actor: Actor): Promise<TokenOverview | null> {
  if (isTwoStepOverdue(actor)) return null;
  const [tokens, isOn] = await Promise.all([listTokens(actor), isFlagOn('api-tokens')]);
  const scopes = listGrantableScopes(actor).map((name) => ({
    name,
    description: describeScope(name),
    isMoney: moneyScopes.includes(name),
    isPermission: isPermission(name),
  }));
  return { tokens, scopes, isOn };
}
