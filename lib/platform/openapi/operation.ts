import { z } from 'zod';
import { type ErrorCode, errorStatus, resolvableCodes } from '@/lib/errors';
import { acceptsDirectUpload } from '@/lib/platform/http/receive-file';
import type { RouteDeclaration } from '@/lib/platform/http/route';
import type { AccessRule } from '@/lib/platform/http/route-metadata';
import { type FileResponse, getTokenScopes, isOfMembers } from '@/lib/platform/http/route-metadata';
import { directUploadBody } from '@/lib/platform/storage/direct-uploads';
import { type JsonSchema, jsonSchema } from './json-schema';
import { parameterTexts } from './parameter-texts';
import { getTag } from './tags';

type Content = Record<string, { schema: JsonSchema }>;
type Header = { description: string; schema: JsonSchema };

type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: JsonSchema;
};
export type ApiResponse = { description: string; headers?: Record<string, Header>; content?: Content };

/**
 * An operation of the document; `x-access` is the access rule (lib/access/authorize.ts). `x-scope` lists the scopes of
 * which an API token needs one; an empty list means that no token is accepted.
 */
export type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  'x-access': AccessRule;
  'x-scope'?: readonly string[];
  /** How the caller of a public operation is authenticated. */
  'x-proof'?: 'signature' | 'cron secret' | 'metrics token';
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, ApiResponse>;
};

const okResponse = z.object({ ok: z.literal(true) });
/** The body of an error. */
export const errorResponse = z
  .object({
    error: z.string().describe('A message for people that says what happened and what to do.'),
    fields: z.record(z.string(), z.string()).optional().describe('Messages by field.'),
    url: z.string().optional().describe('The page where the problem can be resolved.'),
    check: z
      .looseObject({})
      .optional()
      .describe('With `link_not_in_order`: what the check of the page found, as `check` of a request with `dryRun`.'),
    code: z.enum(resolvableCodes).optional().describe('The step that the client must take first.'),
    requestId: z.string().optional(),
  })
  .meta({ title: 'Error' });

/**
 * Describes the operation of a path and method.
 * @param path in OpenAPI's notation: /api/orders/{id}
 * @param schemas receives the titled schemas
 */
export function describeOperation(
  method: string,
  path: string,
  declared: RouteDeclaration,
  schemas: Record<string, JsonSchema>,
): Operation {
  const { summary, access, body, upload } = declared;
  const scopes = access === 'public' ? undefined : (getTokenScopes(method, declared) ?? []);
  const description = [declared.description, scopes && describeScopes(scopes)].filter(Boolean).join(' ');
  return {
    operationId: getOperationId(method, path),
    summary,
    ...(description && { description }),
    tags: [getTag(path)],
    security: getSecurity(declared, scopes),
    'x-access': access,
    ...(scopes && { 'x-scope': scopes }),
    ...(declared.proof && { 'x-proof': declared.proof }),
    parameters: [
      ...getParameters('path', declared.params, schemas),
      ...getParameters('query', declared.query, schemas),
      ...(isOfMembers(access) ? [header('X-Account', accountText)] : []),
      ...Object.entries(declared.requestHeaders ?? {}).map(([name, text]) => header(name, text)),
    ],
    ...(body && { requestBody: { required: true, content: json(jsonSchema(body, 'input', schemas)) } }),
    ...(upload && { requestBody: { required: true, content: uploadForm(upload, schemas) } }),
    responses: getResponses(method, path, declared, schemas),
  };
}

/**
 * Derives the id from method and path, so that it is stable and unique: `getOrdersByIdChecks` for
 * GET /api/orders/{id}/checks.
 */
function getOperationId(method: string, path: string): string {
  const words = path
    .replace(/^\/api\//, '/')
    .replace(/\{(\w+)\}/g, 'by-$1')
    .split(/[^A-Za-z0-9]+/);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function describeScopes(scopes: readonly string[]): string {
  if (scopes.length === 0) return 'Not available to API tokens.';
  return `API tokens need the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
}

function getSecurity({ access, proof }: RouteDeclaration, scopes: readonly string[] = []): Operation['security'] {
  if (access !== 'public') {
    return [{ session: [] }, { bearer: [] }, ...scopes.map((scope) => ({ token: [scope] }))];
  }
  if (proof === 'metrics token') return [{ metricsToken: [] }];
  return proof === 'cron secret' ? [{ cronSecret: [] }] : [];
}

function getParameters(
  place: 'path' | 'query',
  schema: z.ZodType | undefined,
  schemas: Record<string, JsonSchema>,
): Parameter[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input', schemas);
  return Object.entries(properties).map(([name, property]) => {
    const { description = parameterTexts[name], ...plain } = property;
    const isRequired = place === 'path' || required.includes(name);
    return { name, in: place, required: isRequired, ...(description && { description }), schema: plain };
  });
}

/** Of the header that names the account (lib/auth/current-actor.ts). */
const accountText =
  'The id of the account to act for. Default: the one chosen in the browser, otherwise the personal one. An API token acts for its own account only.';

const header = (name: string, description: string): Parameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
});

function uploadForm(
  { field, maxBytes, maxFiles, orJson }: NonNullable<RouteDeclaration['upload']>,
  schemas: Record<string, JsonSchema>,
): Content {
  const limit = `At most ${maxBytes / 1_000_000} MB.`;
  const file = { type: 'string', format: 'binary' };
  const properties = {
    [field]: maxFiles
      ? { type: 'array', items: file, maxItems: maxFiles, description: `Each: ${limit.toLowerCase()}` }
      : { ...file, description: limit },
  };
  const upload = acceptsDirectUpload({ maxBytes }) ? jsonSchema(directUploadBody, 'input', schemas) : null;
  if (!orJson) {
    return {
      'multipart/form-data': { schema: { type: 'object', properties, required: [field] } },
      ...(upload && json(upload)),
    };
  }
  const schema = jsonSchema(orJson, 'input', schemas);
  const uploads = upload && {
    uploads: { type: 'array', items: upload, maxItems: maxFiles, description: 'Files that were sent to the bucket.' },
  };
  return {
    ...json({ ...schema, properties: { ...schema.properties, ...uploads } }),
    'multipart/form-data': { schema: { ...schema, properties: { ...schema.properties, ...properties } } },
  };
}

function getResponses(
  method: string,
  path: string,
  declared: RouteDeclaration,
  schemas: Record<string, JsonSchema>,
): Record<string, ApiResponse> {
  const { status = 200, response = okResponse, responseHeaders = {}, isRevalidated, redirects, errorShape } = declared;
  const { acknowledges, finds, holds } = declared;
  const content = getContent(response, schemas);
  const sent = { ...responseHeaders, ...(acceptsToken(method, declared) && tokenHeaders) };
  const headers = Object.fromEntries(
    Object.entries(sent).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );
  const responses: Record<string, ApiResponse> = {
    [status]: {
      description: 'The request succeeded.',
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(Object.keys(content).length > 0 && { content }),
    },
  };
  if (method === 'GET' && declared.access !== 'public' && !path.startsWith('/api/'))
    responses[307] = { description: 'Redirects to the sign-in page if there is no session.' };
  if (method === 'GET' && declared.recentAuthentication)
    responses[303] = { description: 'Redirects a browser that follows a link to the page that asks for the password.' };
  if (finds) responses[200] = { description: finds, content };
  if (holds) responses[202] = { description: holds.description, content: getContent(holds.response, schemas) };
  if (acknowledges) responses[202] = { description: acknowledges };
  if (redirects) responses[302] = { description: 'Redirects to the URL in Location.' };
  if (isRevalidated) responses[304] = { description: 'Not modified since the version in If-None-Match.' };
  for (const [code, description] of errorResponses(method, declared)) {
    responses[code] = { description, content: json(jsonSchema(errorShape ?? errorResponse, 'output', schemas)) };
  }
  return responses;
}

const acceptsToken = (method: string, declared: RouteDeclaration): boolean =>
  (getTokenScopes(method, declared) ?? []).length > 0;

/** The headers of the responses to API tokens (lib/auth/authenticate-token.ts). */
const tokenHeaders = {
  'RateLimit-Policy': 'Sent to API tokens: the number of requests (`q`) that a token can make in `w` seconds.',
  RateLimit: 'Sent to API tokens: the requests that are left (`r`), and the seconds until the limit is reset (`t`).',
};

function getContent(response: z.ZodType | FileResponse<z.ZodType>, schemas: Record<string, JsonSchema>): Content {
  if (response instanceof z.ZodType) return json(jsonSchema(response, 'output', schemas));
  const files = response.mediaTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]);
  return {
    ...Object.fromEntries(files),
    ...(response.orJson && json(jsonSchema(response.orJson, 'output', schemas))),
  };
}

const json = (schema: JsonSchema): Content => ({ 'application/json': { schema } });

/** What each error means, for the caller of the API. */
export const errorDescriptions: Record<ErrorCode, string> = {
  invalid_input: 'The request contains invalid values; `fields` contains messages by name.',
  unauthenticated: 'There is no session, the API token is not valid, or the password or secret is incorrect.',
  insufficient_funds: 'The wallet balance is too low; `url` opens the top-up with the missing amount.',
  forbidden:
    'The caller lacks the permission, the API token lacks the scope, or the request did not come from a page of this site.',
  reauthentication_required:
    'The password must be confirmed again: call POST /api/auth/reauthenticate and repeat the request. `code` is `reauthentication_required`.',
  two_step_required:
    "The caller's role requires two-step sign-in, and the grace period is over. `code` is `two_step_required`.",
  view_only: 'The session shows the account of another user: end the view first. `code` is `view_only`.',
  not_found: 'The record does not exist or belongs to another user.',
  conflict:
    'The current state does not allow it: a stale version, a name that is already used, or a record that is still in use.',
  duplicate_site:
    'The project has ordered a site of the request already. `code` is `duplicate_site`, and `fields` names the sites.',
  billing_incomplete:
    'The billing profile, or the identity of the operator, lacks something that the request needs. `code` is `billing_incomplete`, and `fields` names what is missing.',
  gone: 'The address worked once, and was revoked or has ended.',
  too_large: 'The body or the file is too large.',
  unsupported_type: 'The file type is not supported.',
  unprocessable: 'The values are valid, but do not match the record, for example an address on another domain.',
  policy: 'The order breaks a rule of the account, which the message names. `code` is `policy`.',
  link_not_in_order:
    'The check of the page did not find the link in order, and no reason was given, or the page cannot be opened. `code` is `link_not_in_order`, and `check` is what it found.',
  rate_limited: 'Too many requests; Retry-After contains the seconds to wait.',
  internal: 'An internal error; `requestId` identifies it in the log.',
  provider_failed: 'The payment provider, virus scanner or file store does not respond.',
  not_configured: 'An admin has turned the feature off, or has not set it up.',
  storage_full: 'The server has no storage space left.',
  unavailable: 'The database is unavailable or takes too long; Retry-After contains the seconds to wait.',
};

/** Errors that every operation can return. */
const commonErrors: readonly ErrorCode[] = ['internal', 'unavailable'];

/** Lists the errors of an operation by status: implied by the declaration, declared, and common. */
function errorResponses(method: string, declared: RouteDeclaration): Map<number, string> {
  const { access, params, query, body, upload, errors = [], recentAuthentication, beforeTwoStep } = declared;
  const codes = new Set<ErrorCode>([...errors, ...getAccessErrors(access), ...commonErrors]);
  // Any write can fail when PostgreSQL's disk is full.
  if (method !== 'GET') for (const code of ['forbidden', 'storage_full'] as const) codes.add(code);
  if (access !== 'public' && !beforeTwoStep) codes.add('two_step_required');
  if (recentAuthentication) codes.add('reauthentication_required');
  // Of the account in X-Account.
  if (isOfMembers(access)) codes.add('not_found');
  // A session is limited in its changes, an API token in all of its requests, also in those that are refused to it.
  if (access !== 'public') for (const code of ['rate_limited', 'view_only'] as const) codes.add(code);
  if (params || query || body || upload) codes.add('invalid_input');
  if (body || upload) codes.add('too_large');
  if (upload && acceptsDirectUpload(upload))
    for (const code of ['not_found', 'provider_failed'] as const) codes.add(code);
  const byStatus = new Map<number, string>();
  for (const [code, status] of Object.entries(errorStatus)) {
    const meaning = [...codes].find((one) => one === code);
    if (!meaning) continue;
    byStatus.set(status, [byStatus.get(status), errorDescriptions[meaning]].filter(Boolean).join(' Or: '));
  }
  return byStatus;
}

function getAccessErrors(access: AccessRule): ErrorCode[] {
  // A session may do what any session may; an API token needs a scope.
  return access === 'public' ? [] : ['unauthenticated', 'forbidden'];
}
