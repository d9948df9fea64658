'use client';

import { useState } from 'react';
import { keepPreferences } from './keep-preferences';

/**
 * Ends the session and leaves for the portal's sign-in, whatever the call answers (spec 000, section 8): nothing of the
 * answer is read, so that the menu of every page needs no more than `fetch`. A full page load, so that nothing of the
 * person stays in memory.
 */
export function useLogout(endpoint: string, destination: string) {
  const [pending, setPending] = useState(false);
  const logout = async () => {
    setPending(true);
    await keepPreferences(() => Promise.allSettled([fetch(endpoint, { method: 'POST' })]));
    window.location.assign(destination);
  };
  return { pending, logout };
}
