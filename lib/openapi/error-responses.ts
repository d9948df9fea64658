import type { Access } from '../acl/require';
import { type ErrorCode, errorStatus } from '../errors';
import type { RouteDeclaration } from '../http/route';

const meanings: Record<ErrorCode, string> = {
  invalid_input: 'Something that was sent is not as it should be; `fields` says what, by name.',
  unauthenticated: 'Nobody is signed in, or with the wrong password or secret.',
  insufficient_funds: 'The wallet holds too little; `url` opens the top-up with the missing amount.',
  forbidden: 'The caller may not do this, or the request did not come from our own pages.',
  reauthentication_required:
    'The password has to be typed again: call POST /api/auth/reauthenticate and repeat the request. `code` is `reauthentication_required`.',
  two_step_required:
    'The role of the caller requires two-step sign-in, and the time to set it up is over. `code` is `two_step_required`.',
  not_found: 'It does not exist, or belongs to somebody else.',
  conflict: 'What is there does not allow it: a stale version, a name that is taken, something still in use.',
  too_large: 'The body or the file is too large.',
  unsupported_type: 'The file is of a kind that is not taken.',
  rate_limited: 'Too many tries; Retry-After tells the seconds to wait.',
  internal: 'Something went wrong on our side; `requestId` finds it in the log.',
  provider_failed: 'The payment provider, the scanner or the file store does not answer.',
  not_configured: 'An admin has turned it off, or has not set it up.',
  storage_full: 'There is no room left on the server.',
  unavailable: 'The database cannot be reached right now or takes too long; Retry-After tells the seconds to wait.',
};

/** What every address can answer, whatever it does. */
const always: readonly ErrorCode[] = ['internal', 'unavailable'];

/** The errors of an address by status: those that follow from its declaration, those its verb declares, and the usual. */
export function errorResponses(method: string, declared: RouteDeclaration): Map<number, string> {
  const { access, params, query, body, upload, errors = [], recentAuthentication, beforeTwoStep } = declared;
  const codes = new Set<ErrorCode>([...errors, ...refusalsOfAccess(access), ...always]);
  // PostgreSQL's disk can be full for whatever is written.
  if (method !== 'GET') for (const code of ['forbidden', 'storage_full'] as const) codes.add(code);
  if (access !== 'public' && !beforeTwoStep) codes.add('two_step_required');
  if (recentAuthentication) codes.add('reauthentication_required');
  if (method !== 'GET' && access !== 'public') codes.add('rate_limited');
  if (params || query || body || upload) codes.add('invalid_input');
  if (body || upload) codes.add('too_large');
  const byStatus = new Map<number, string>();
  for (const [code, status] of Object.entries(errorStatus)) {
    const meaning = [...codes].find((one) => one === code);
    if (!meaning) continue;
    byStatus.set(status, [byStatus.get(status), meanings[meaning]].filter(Boolean).join(' Or: '));
  }
  return byStatus;
}

function refusalsOfAccess(access: Access): ErrorCode[] {
  if (access === 'public') return [];
  return access === 'session' ? ['unauthenticated'] : ['unauthenticated', 'forbidden'];
}
