import type { RouteDeclaration } from './route';

/** The scopes of API tokens, apart from the permissions of staff, which are scopes by their names. */
export const baseScopes = ['read', 'orders:write', 'wallet:topup', 'seller', 'webhooks'] as const;
export type BaseScope = (typeof baseScopes)[number];

/**
 * What a route declares when the default does not apply; `none`: not with an API token. A list: one of these scopes,
 * which can be permissions.
 */
export type DeclaredScope = BaseScope | 'none' | readonly string[];

/**
 * Returns the scopes of which an API token needs one to call a route, derived from the declaration:
 * - `scope`, if declared;
 * - none for a route that needs a recent password;
 * - `seller` for the sellers' area, and the permissions of the access rule for staff;
 * - `read` for GET by any signed-in user.
 * @returns an empty list for a route that accepts no token; null when the declaration decides nothing, because a change
 * by any signed-in user must declare its `scope`
 */
export function getTokenScopes(method: string, declared: RouteDeclaration): readonly string[] | null {
  const { access, scope, recentAuthentication } = declared;
  if (access === 'public' || scope === 'none' || recentAuthentication) return [];
  if (scope) return typeof scope === 'string' ? [scope] : scope;
  if (access !== 'session') return [access].flat();
  return method === 'GET' || method === 'HEAD' ? ['read'] : null;
}
