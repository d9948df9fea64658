import type { Portal } from '@/lib/auth/portals';
import { ApiError, apiFetch } from '@/lib/http/client';
import { keepPreferences } from '../shell/keep-preferences';

export type Credentials = { email: string; password: string; code?: string; remember?: boolean };

/** Spec 000, section 8. */
const texts: Record<Portal, { denied: string; noSession: string; network: string }> = {
  user: {
    denied: 'Invalid credentials.',
    noSession: 'Could not establish session.',
    network: 'Server error. Try again.',
  },
  admin: {
    denied: 'Invalid credentials.',
    noSession: 'Could not establish admin session.',
    network: 'Server error. Try again.',
  },
  seller: { denied: 'Login failed', noSession: 'Login failed', network: 'Network error. Please try again.' },
};

/** What a failed sign-in says where the server sent no text of its own. */
export function signInFallback(portal: Portal, status: number): string {
  return status === 0 ? texts[portal].network : texts[portal].denied;
}

/**
 * Signs in as the specification orders it (000, section 4): whoever is signed in leaves first (failures ignored), then
 * the sign-in, then the proof that the session stands and belongs in this portal.
 * @returns 'code-needed' when the password was right and the account asks for its second step
 * @throws ApiError with the text to show, or an empty one for `signInFallback`
 */
export async function signIn(portal: Portal, credentials: Credentials): Promise<'signed-in' | 'code-needed'> {
  await keepPreferences(() =>
    Promise.allSettled([
      apiFetch(`/api/${portal}/auth/logout`, { method: 'POST' }),
      apiFetch('/api/auth/logout', { method: 'POST' }),
    ]),
  );
  try {
    await apiFetch(`/api/${portal}/auth/login`, { method: 'POST', body: credentials });
  } catch (cause) {
    if (cause instanceof ApiError && cause.fields.code && credentials.code === undefined) return 'code-needed';
    throw cause;
  }
  const session = await apiFetch<Session>(`/api/${portal}/auth/me`).catch((cause: unknown) => {
    if (cause instanceof ApiError && cause.status > 0) throw new ApiError(cause.status, texts[portal].noSession);
    throw cause;
  });
  if (portal === 'admin' && !isStaff(session)) throw new ApiError(403, 'Not an admin account.');
  return 'signed-in';
}

type Session = { role: string; permissions: string[] };

/** Role admin in any spelling, or a role that was given the admin area (decision 3). */
function isStaff({ role, permissions }: Session): boolean {
  return role.toLowerCase() === 'admin' || permissions.includes('AdminDashboard');
}
