import { useState } from 'react';
import { preservePreferences } from './browser-storage';

/**
 * Ends the session and opens the portal's sign-in, also when the request fails. A full page load clears the user's data
 * from memory.
 */
export function useLogout(endpoint: string, destination: string) {
  const [pending, setPending] = useState(false);
  const logout = async () => {
    setPending(true);
    await preservePreferences(() => Promise.allSettled([fetch(endpoint, { method: 'POST' })]));
    window.location.assign(destination);
  };
  return { pending, logout };
}
