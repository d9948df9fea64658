import { apiFetch } from './api-client';

type ReauthenticationHandler = () => Promise<boolean>;

let handler: ReauthenticationHandler | null = null;
let pending: Promise<boolean> | null = null;

/** Registers the dialog that prompts for the password. @returns a function that removes it */
export function setReauthenticationHandler(next: ReauthenticationHandler): () => void {
  handler = next;
  return () => {
    if (handler === next) handler = null;
  };
}

/**
 * Opens the password dialog. Concurrent calls share it.
 * @returns false when the user closed it, or the page has none
 */
function requestReauthentication(): Promise<boolean> {
  pending ??= (handler?.() ?? Promise.resolve(false)).finally(() => {
    pending = null;
  });
  return pending;
}

/**
 * Makes a call. When the server requires reauthentication, prompts for the password and repeats the call once. The
 * form's state is kept.
 */
export async function withReauthentication<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (!isReauthenticationRequired(cause) || !(await requestReauthentication())) throw cause;
    return call();
  }
}

/** Checks the code instead of the class: the module of `ApiError` imports this one. */
function isReauthenticationRequired(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'reauthentication_required';
}

/**
 * Prompts for the password when it was not entered within the last five minutes. For a download or a long upload, which
 * cannot be repeated automatically.
 * @returns false when the user closed the dialog
 * @throws ApiError when the request fails
 */
export async function ensureReauthenticated(): Promise<boolean> {
  const { isRecent } = await apiFetch<{ isRecent: boolean }>('/api/auth/reauthenticate');
  return isRecent || requestReauthentication();
}
