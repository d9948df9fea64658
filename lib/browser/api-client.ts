import { approvalsPath, notMemberMessage, signedOutMessage } from '@/lib/errors';
import type { ActionResult } from '@/lib/platform/http/action';
import { accountHeaders, pageTeam } from './page-account';

/** A failed request. `status` 0: no response was received. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    /** The server's message; empty when it sent none, and the screen then shows its own. */
    message: string,
    readonly fields: Record<string, string> = {},
    readonly url: string | null = null,
    /** The error code for programs; see lib/browser/api-client.ts. */
    readonly code: string | null = null,
  ) {
    super(message);
  }
}

type ApiRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  headers?: Record<string, string>;
  /** Sends the request also while the page unloads; browsers limit its body to 64 KB. */
  keepalive?: boolean;
};

/**
 * Calls the app's API from the browser with a JSON or FormData body. When the server requires reauthentication, the
 * user is prompted for the password and the request is sent once more; a change also when the session has ended.
 * @returns the response's JSON; the API tests check its shape
 * @throws ApiError with the server's message and status
 */
export function apiFetch<T>(path: string, request: ApiRequest = {}): Promise<T> {
  const isChange = request.method !== undefined && request.method !== 'GET';
  return (isChange ? withSession : withReauthentication)(() => send<T>(path, request));
}

async function send<T>(
  path: string,
  { method = 'GET', body, headers: own = {}, keepalive = false }: ApiRequest,
): Promise<T> {
  const headers = { ...accountHeaders(), ...own };
  const isForm = body instanceof FormData;
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    keepalive,
    headers: isForm || body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
    body: isForm ? body : body === undefined ? undefined : JSON.stringify(body),
  }).catch(throwNetworkError);
  const result = await readResponseBody(response);
  if (!response.ok) throw toApiError(response.status, result);
  return result as T;
}

function throwNetworkError(): never {
  throw new ApiError(0, '');
}

async function readResponseBody(response: Response): Promise<unknown> {
  // The connection may close in the middle of the body.
  const text = await response.text().catch(throwNetworkError);
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    // Not JSON, e.g. a proxy's error page. The status is still valid.
    return null;
  }
}

function toApiError(status: number, body: unknown): ApiError {
  const { error, fields, url, code }: { error?: unknown; fields?: unknown; url?: unknown; code?: unknown } =
    typeof body === 'object' && body !== null ? body : {};
  return new ApiError(
    status,
    typeof error === 'string' ? error : '',
    isMessages(fields) ? fields : {},
    typeof url === 'string' ? url : null,
    typeof code === 'string' ? code : null,
  );
}

function isMessages(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null && Object.values(value).every((item) => typeof item === 'string');
}

/**
 * Awaits an action.
 * @throws Error with the message that the dialog displays
 */
export async function unwrapAction<T>(action: Parameters<typeof callAction<T>>[0]): Promise<T> {
  try {
    return await callAction(action);
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    throw new Error(cause.message || 'The server didn’t respond. Please try again.');
  }
}

/**
 * Creates a dialog that calls can open. Concurrent calls share it.
 * @param without the outcome on a page that has no such dialog
 */
function createPrompt<Outcome>(without: Outcome) {
  type Handler = () => Promise<Outcome>;
  let handler: Handler | null = null;
  let pending: Promise<Outcome> | null = null;
  return {
    set: (next: Handler): (() => void) => {
      handler = next;
      return () => {
        if (handler === next) handler = null;
      };
    },
    open: (): Promise<Outcome> => {
      pending ??= (handler?.() ?? Promise.resolve(without)).finally(() => {
        pending = null;
      });
      return pending;
    },
  };
}

/** False when the user closed the dialog. */
const passwordPrompt = createPrompt(false);

/** `unavailable` on pages without a session. */
type SignInOutcome = 'signed-in' | 'dismissed' | 'unavailable';
const signInPrompt = createPrompt<SignInOutcome>('unavailable');

const lostAccountPrompt = createPrompt<void>(undefined);

/** Registers the dialog after the end of the user's membership in the page's account. @returns a function that removes it */
export const setLostAccountHandler = lostAccountPrompt.set;

/** Registers the dialog that prompts for the password. @returns a function that removes it */
export const setReauthenticationHandler = passwordPrompt.set;

/** Registers the dialog that signs the page's user in again. @returns a function that removes it */
export const setSignInHandler = signInPrompt.set;

/** The code of a call whose user closed the sign-in dialog, so that the screen keeps the input and does not redirect. */
const sessionEndedCode = 'session_ended';

/**
 * Makes a call. When the server requires reauthentication, prompts for the password and repeats the call once. The
 * form's state is kept. When the user is no member of the page's account any more, a dialog says so.
 */
async function withReauthentication<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (isLostAccount(cause)) void lostAccountPrompt.open();
    if (!isReauthenticationRequired(cause) || !(await passwordPrompt.open())) throw cause;
    return call();
  }
}

/**
 * Makes a call that saves input. As `withReauthentication`; and when the session has ended, the user signs in again in a
 * dialog, and the call, which the server refused without effect, is repeated.
 */
export function withSession<T>(call: () => Promise<T>): Promise<T> {
  return withReauthentication(async () => {
    try {
      return await call();
    } catch (cause) {
      if (!isSignedOut(cause)) throw cause;
      const outcome = await signInPrompt.open();
      if (outcome === 'signed-in') return call();
      if (outcome === 'dismissed')
        throw new ApiError(401, 'Your session has ended. Sign in again to continue.', {}, null, sessionEndedCode);
      throw cause;
    }
  });
}

/** Checks the code instead of the class: the module of `ApiError` imports this one. */
function isReauthenticationRequired(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'reauthentication_required';
}

/** Checks whether a call was refused because it has no session. A wrong password is answered with 401 too. */
function isSignedOut(cause: unknown): boolean {
  return cause instanceof Error && 'status' in cause && cause.status === 401 && cause.message === signedOutMessage;
}

const isLostAccount = (cause: unknown): boolean =>
  cause instanceof Error && 'status' in cause && cause.status === 404 && cause.message === notMemberMessage;

/**
 * Prompts for the password when it was not entered within the last five minutes. For a download or a long upload, which
 * cannot be repeated automatically.
 * @returns false when the user closed the dialog
 * @throws ApiError when the request fails
 */
export async function ensureReauthenticated(): Promise<boolean> {
  const { isRecent } = await apiFetch<{ isRecent: boolean }>('/api/auth/reauthenticate');
  return isRecent || passwordPrompt.open();
}

/**
 * Calls a server action and fails as `apiFetch` does, so that a form can save through either. The call is repeated after
 * the user has entered the password or signed in again in a dialog.
 * @throws ApiError with the server's message and status; status 0 without a response
 */
export function callAction<T>(action: () => Promise<ActionResult<T>>): Promise<T> {
  return withSession(() => readAction(action()));
}

/**
 * Awaits a server action without a dialog: one that only reads, that the user does not wait for, or that is part of
 * signing in.
 * @throws ApiError as `callAction` does
 */
export async function readAction<T>(action: Promise<ActionResult<T>>): Promise<T> {
  const response = await action.catch(() => {
    throw new ApiError(0, '');
  });
  if (response.ok) return response.data;
  throw new ApiError(response.status, response.error, response.fields, response.url ?? null, response.code ?? null);
}

/** Rethrows an error with its message, or "Save failed (HTTP n)" when the server sent none. */
export function saveFailure(cause: unknown): never {
  if (!(cause instanceof ApiError)) throw cause;
  throw new ApiError(cause.status, httpFailure('Save failed', cause), cause.fields, cause.url);
}

/** Rethrows an error with its message, or "Delete failed (HTTP n)" when the server sent none. */
export function deleteFailure(cause: unknown): never {
  throw cause instanceof ApiError ? new Error(httpFailure('Delete failed', cause)) : cause;
}

/** Checks whether a change was not made because it was sent for approval by a second person. */
export const isSentForApproval = ({ url }: ApiError): boolean => url === approvalsPath;

/**
 * Formats a failed request: the server's message, or "Assign failed (HTTP n)" when it sent none.
 * @param text what failed, e.g. "Assign failed"
 */
export const httpFailure = (text: string, { status, message }: ApiError): string =>
  message || `${text} (HTTP ${status})`;

/**
 * Handles a failed request of a customer screen or of a seller's sites: a 401 or 403 redirects to the sign-in page,
 * which returns the user to this page. With a code, the user is about to resolve the error; and a 403 in the account of
 * others tells what the role or a limit there does not allow.
 * @throws any other error unchanged
 */
export function redirectIfSignedOut(cause: unknown): never {
  if (cause instanceof ApiError && cause.code === null) {
    const isRefused = cause.status === 403 && pageTeam() === undefined;
    if (cause.status === 401 || isRefused) redirectToSignIn();
  }
  throw cause;
}

/** Redirects to the sign-in page, which returns the user to the current page of any portal. */
export function redirectToSignIn(): void {
  const back = `${window.location.pathname}${window.location.search}`;
  window.location.assign(`/user/login?next=${encodeURIComponent(back)}`);
}

/**
 * Creates an Idempotency-Key of 128 random bits. Uses getRandomValues because crypto.randomUUID requires HTTPS or
 * localhost, and a self-hosted site may use plain HTTP.
 */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
