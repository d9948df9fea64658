import { ApiError, apiFetch } from '@/lib/http/client';

export type VerifyOutcome = { ok: true } | { ok: false; message: string; mayRetry: boolean };

/** Of an address without a token: known before anything is asked. */
export const missingToken: VerifyOutcome = { ok: false, message: 'Missing verification token.', mayRetry: false };

const outcomes = new Map<string, Promise<VerifyOutcome>>();

/**
 * Verifies a token, once an attempt: the link works a single time, and an effect may run twice (React's strict mode, a
 * page shown again from the history).
 */
export function verifyOnce(token: string, attempt: number): Promise<VerifyOutcome> {
  const key = `${attempt} ${token}`;
  const outcome = outcomes.get(key) ?? verify(token);
  outcomes.set(key, outcome);
  return outcome;
}

/** The texts are those of spec 000, section 8. */
async function verify(token: string): Promise<VerifyOutcome> {
  try {
    await apiFetch(`/api/user/auth/verify?token=${encodeURIComponent(token)}`);
    return { ok: true };
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    if (cause.status === 0) return { ok: false, message: 'Network error. Please try again.', mayRetry: true };
    return { ok: false, message: cause.message || 'Verification failed.', mayRetry: cause.status >= 500 };
  }
}
