'use client';

import { useEffect } from 'react';

/** For pages that show times; on the others it is never fetched. One that does not arrive is asked for a minute later. */
function tick(): void {
  if (!document.querySelector('time[data-time-ago]')) return;
  import('./tick-times').then(
    ({ tickTimes }) => tickTimes(),
    () => undefined,
  );
}

/** Rewrites every TimeAgo of the page once a minute and when the tab comes back. Stands once, in the root layout. */
export function TimeTicker() {
  useEffect(() => {
    tick();
    const timer = setInterval(tick, 60_000);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, []);
  return null;
}
