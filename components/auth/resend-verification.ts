import { apiFetch } from '@/lib/browser/api-client';

// The first text is shown for every address, so that it does not disclose accounts.
export const resent = 'If the email exists and is pending, a new link was sent.';
export const cannotResend = 'Couldn’t send right now. Try again later.';

/** Asks for a new verification link. @throws ApiError when it could not be asked for */
export function resendVerification(email: string): Promise<unknown> {
  return apiFetch('/api/user/auth/verify/resend', { method: 'POST', body: { email } });
}
