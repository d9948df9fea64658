import { callAction } from './call-action';
import { withReauthentication, withSession } from './reauthentication';

/** A failed request. `status` 0: no response was received. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    /** The server's message; empty when it sent none, and the screen then shows its own. */
    message: string,
    readonly fields: Record<string, string> = {},
    readonly url: string | null = null,
    /** The error code for programs; see lib/browser/reauthentication.ts. */
    readonly code: string | null = null,
  ) {
    super(message);
  }
}

type ApiRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: unknown;
  headers?: Record<string, string>;
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

async function send<T>(path: string, { method = 'GET', body, headers = {} }: ApiRequest): Promise<T> {
  const isForm = body instanceof FormData;
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
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
