'use client';

import { useEffect, useState } from 'react';

/**
 * What to tell of a page that failed. Why it failed stays on the server, so the health address is asked whether it is
 * only that the server cannot do its work at the moment; if not, `otherwise` stands.
 */
export function useFailureText(error: unknown, otherwise: string): string {
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    console.error(error);
    fetch('/api/health').then(
      ({ status }) => setIsAway(status === 503),
      // No answer at all, e.g. offline: then the usual text stands.
      () => setIsAway(false),
    );
  }, [error]);
  return isAway
    ? 'The marketplace cannot do its work right now. Nothing you saved is lost; please try again in a few seconds.'
    : otherwise;
}
