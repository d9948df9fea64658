import type { NextResponse } from 'next/server';
import type { z } from 'zod';
import type { ErrorCode } from '@/lib/errors';

/** Who may call a route: 'public', or a rule of the application's authoriser. */
export type AccessRule = string | readonly string[];

/** Whether a rule admits members of accounts: any signed-in user, or those with a right in the account. */
export const isOfMembers = (access: AccessRule): boolean =>
  access === 'session' || (typeof access === 'string' && access.startsWith('account:'));

/** The path where requests with a malformed path are answered (guard-requests.ts). No route has it. */
export const malformedPath = '/api/malformed-path';

/** The scopes of API tokens, apart from the permissions of staff, which are scopes by their names. */
export const baseScopes = ['read', 'orders:write', 'wallet:topup', 'seller', 'webhooks'] as const;
export type BaseScope = (typeof baseScopes)[number];

/**
 * What a route declares when the default does not apply; `none`: not with an API token. A list: one of these scopes,
 * which can be permissions.
 */
type DeclaredScope = BaseScope | 'none' | readonly string[];

/**
 * Returns the scopes of which an API token needs one to call a route, derived from the declaration:
 * - `scope`, if declared;
 * - none for a route that needs a recent password;
 * - `seller` for the sellers' area, and the permissions of the access rule for staff;
 * - `read` for GET by any signed-in user or member of an account.
 * @returns an empty list for a route that accepts no token; null when the declaration decides nothing, because a change
 * by any signed-in user must declare its `scope`
 */
export function getTokenScopes(
  method: string,
  declared: { access: AccessRule } & Pick<RouteMetadata, 'scope' | 'recentAuthentication'>,
): readonly string[] | null {
  const { access, scope, recentAuthentication } = declared;
  if (access === 'public' || scope === 'none' || recentAuthentication) return [];
  if (scope) return typeof scope === 'string' ? [scope] : scope;
  if (!isOfMembers(access)) return [access].flat();
  return method === 'GET' || method === 'HEAD' ? ['read'] : null;
}

/** A file of one of these media types; in some cases the JSON of a schema instead. */
export type FileResponse<J extends z.ZodType = z.ZodNever> = { mediaTypes: readonly string[]; orJson?: J };

/** The body of a successful response: the JSON of a schema, a file, or `{ok: true}` when undefined. */
export type ResponseDeclaration = z.ZodType | FileResponse<z.ZodType> | undefined;

/** The value that a handler may return; a NextResponse only adds headers. */
export type HandlerResult<R extends ResponseDeclaration> = [R] extends [z.ZodType]
  ? z.output<R> | NextResponse<z.output<R>>
  : [R] extends [FileResponse<infer J>]
    ? Response | z.output<J>
    : // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a result answers `{ok: true}`.
      void;

/**
 * Metadata of a route for the API reference. Only `status`, `recentAuthentication`, `beforeTwoStep`, `isBackground` and
 * `scope` affect a request.
 */
export type RouteMetadata = {
  /** One line that says what the request does. */
  summary: string;
  /** Further information for the caller. */
  description?: string;
  /**
   * The password must have been entered in this session within the last five minutes
   * (lib/auth/recent-authentication.ts). A browser navigation is redirected to the page that prompts for it.
   */
  recentAuthentication?: true;
  /** Also available to a user who must set up two-step sign-in first (lib/auth/two-step.ts). */
  beforeTwoStep?: true;
  /**
   * The scope that an API token needs, where the default does not apply (token-scope.ts). `none`: account security,
   * payout methods, backups and API tokens are not reachable with a token.
   */
  scope?: DeclaredScope;
  /** The status of a successful response; the default is 200. */
  status?: 200 | 201 | 204;
  /** Answers 304 when If-None-Match matches. */
  isRevalidated?: boolean;
  /** Pages make the request without user input, e.g. to poll: it does not count as activity of the session. */
  isBackground?: true;
  /** Some requests are only acknowledged (202), without a body: which ones. */
  acknowledges?: string;
  /** Some requests wait for an approval (202): which ones, and the schema of the answer. */
  holds?: { description: string; response: z.ZodType };
  /** Some requests answer a record that exists (200) instead of creating one: which ones. */
  finds?: string;
  /** Some requests are redirected (302). */
  redirects?: boolean;
  /** Errors of the operation, in addition to those that follow from `access`, params, query and body. */
  errors?: readonly ErrorCode[];
  /** The schema of errors that do not have the shape `{error}`. */
  errorShape?: z.ZodType;
  /**
   * The field of the multipart form that contains the file, and the maximum size of the file. With `maxFiles`, the form
   * can have several; with `orJson`, it has these fields as well, and can be sent as JSON without files. A larger file
   * than `maxFormBytes` can also be named by JSON, after it was sent to the bucket (direct-uploads.ts).
   */
  upload?: { field: string; maxBytes: number; maxFiles?: number; orJson?: z.ZodObject };
  /** Request headers by name, with a description. */
  requestHeaders?: Readonly<Record<string, string>>;
  /** Headers of a successful response by name, with a description. */
  responseHeaders?: Readonly<Record<string, string>>;
  /**
   * How the caller is authenticated when `access` is 'public': the provider's signature, the cron's secret, or the
   * scraper's token or address.
   */
  proof?: 'signature' | 'cron secret' | 'metrics token';
};
