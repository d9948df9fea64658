import { signedOutMessage } from '@/lib/errors';
import { ApiError, apiFetch } from './api-client';

/**
 * A dialog that calls can open. Concurrent calls share it.
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

/** Registers the dialog that prompts for the password. @returns a function that removes it */
export const setReauthenticationHandler = passwordPrompt.set;

/** Registers the dialog that signs the page's user in again. @returns a function that removes it */
export const setSignInHandler = signInPrompt.set;

/** The code of a call whose user closed the sign-in dialog, so that the screen keeps the input and does not redirect. */
const sessionEndedCode = 'session_ended';

/**
 * Makes a call. When the server requires reauthentication, prompts for the password and repeats the call once. The
 * form's state is kept.
 */
export async function withReauthentication<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
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

/** Whether a call was refused because it has no session. A wrong password is answered with 401 too. */
function isSignedOut(cause: unknown): boolean {
  return cause instanceof Error && 'status' in cause && cause.status === 401 && cause.message === signedOutMessage;
}

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
