import { apiFetch } from './client';
import { requestReauthentication } from './with-reauthentication';

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
