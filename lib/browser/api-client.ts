import { withReauthentication } from './reauthentication';

/** A failed call, as a screen shows it. `status` 0: no answer came at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    /** The server's text, or empty when it sent none: the screen then shows its own. */
    message: string,
    readonly fields: Record<string, string> = {},
    readonly url: string | null = null,
    /** What a program has to do first; see lib/browser/reauthentication.ts. */
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
 * Calls one of our own addresses from the browser: JSON both ways, or a FormData body as it is.
 * Where the server wants the password typed again, the person is asked for it and the call is repeated once.
 * @returns the answer's JSON; its shape is the contract's, which the API tests hold the server to
 * @throws ApiError with the server's text and status
 */
export function apiFetch<T>(path: string, request: ApiRequest = {}): Promise<T> {
  return withReauthentication(() => send<T>(path, request));
}

async function send<T>(path: string, { method = 'GET', body, headers = {} }: ApiRequest): Promise<T> {
  const isForm = body instanceof FormData;
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: isForm || body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
    body: isForm ? body : body === undefined ? undefined : JSON.stringify(body),
  }).catch(noAnswer);
  const answer = await readAnswer(response);
  if (!response.ok) throw failure(response.status, answer);
  return answer as T;
}

function noAnswer(): never {
  throw new ApiError(0, '');
}

async function readAnswer(response: Response): Promise<unknown> {
  // The connection may end in the middle of the answer; half of one is none.
  const text = await response.text().catch(noAnswer);
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    // Not ours: a proxy's error page. The status still tells what happened.
    return null;
  }
}

function failure(status: number, answer: unknown): ApiError {
  const body: { error?: unknown; fields?: unknown; url?: unknown; code?: unknown } =
    typeof answer === 'object' && answer !== null ? answer : {};
  return new ApiError(
    status,
    typeof body.error === 'string' ? body.error : '',
    isMessages(body.fields) ? body.fields : {},
    typeof body.url === 'string' ? body.url : null,
    typeof body.code === 'string' ? body.code : null,
  );
}

function isMessages(value: unknown): value is Record<string, string> {
  return typeof value === 'object' && value !== null && Object.values(value).every((item) => typeof item === 'string');
}
