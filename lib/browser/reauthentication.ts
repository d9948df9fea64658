import { apiFetch } from './api-client';

type Ask = () => Promise<boolean>;

let ask: Ask | null = null;
let asking: Promise<boolean> | null = null;

/** Registers the dialog that asks for the password. @returns removes it again */
export function handleReauthentication(next: Ask): () => void {
  ask = next;
  return () => {
    if (ask === next) ask = null;
  };
}

/**
 * Opens the dialog that asks for the password; calls at the same time share it.
 * @returns false when the person closed it, or the page has none
 */
function requestReauthentication(): Promise<boolean> {
  asking ??= (ask?.() ?? Promise.resolve(false)).finally(() => {
    asking = null;
  });
  return asking;
}

/**
 * Makes a call. Where the server wants the password typed again, the person is asked for it and the call is repeated
 * once; what a form holds stays as it is meanwhile.
 */
export async function withReauthentication<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (!isReauthenticationRequired(cause) || !(await requestReauthentication())) throw cause;
    return call();
  }
}

/** By its code rather than its class, which stands in a module that imports this one. */
function isReauthenticationRequired(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'reauthentication_required';
}

/**
 * Asks for the password where it was not typed within the last five minutes, before a download or a long upload that
 * cannot be repeated by itself.
 * @returns false when the person closed the dialog
 * @throws ApiError when the server cannot be asked
 */
export async function ensureReauthenticated(): Promise<boolean> {
  const { isRecent } = await apiFetch<{ isRecent: boolean }>('/api/auth/reauthenticate');
  return isRecent || requestReauthentication();
}
