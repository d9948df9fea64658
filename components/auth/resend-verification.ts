import { apiFetch } from '@/lib/browser/api-client';

// The texts are those of spec 000, section 8; the first is said for every address, so that it tells nobody's account.
export const resent = 'If the email exists and is pending, a new link was sent.';
export const cannotResend = 'Couldn’t send right now. Try again later.';

/** Asks for a new verification link. @throws ApiError when it could not be asked for */
export function resendVerification(email: string): Promise<unknown> {
  return apiFetch('/api/user/auth/verify/resend', { method: 'POST', body: { email } });
}
