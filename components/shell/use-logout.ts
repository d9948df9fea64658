'use client';

import { useState } from 'react';

/**
 * Ends the session and leaves for the portal's sign-in, whatever the call answers (spec 000, section 8). A full page
 * load, so that nothing of the person stays in memory.
 * Whatever it answers, nothing of it is read: the menu of every page needs no more than `fetch`.
 */
export function useLogout(endpoint: string, destination: string) {
  const [pending, setPending] = useState(false);
  const logout = async () => {
    setPending(true);
    await Promise.allSettled([fetch(endpoint, { method: 'POST' })]);
    window.location.assign(destination);
  };
  return { pending, logout };
}
