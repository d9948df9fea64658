import { apiFetch } from '@/lib/browser/api-client';

// The first text is the same for every address, so that it does not disclose accounts.
export const resent = 'If the email exists and is pending, a new link was sent.';
export const cannotResend = 'Couldn’t send right now. Try again later.';

/** Requests a new verification link. @throws ApiError when the request fails */
export function resendVerification(email: string): Promise<unknown> {
  return apiFetch('/api/user/auth/verify/resend', { method: 'POST', body: { email } });
}
