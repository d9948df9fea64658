'use client';

import { useEffect } from 'react';
import { relativeTime } from './relative-time';

/** Updates every TimeAgo of the page once a minute and when the tab becomes visible. Mounted once, in the root layout. */
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

/** Updates the relative time of every TimeAgo, and its title to the local time of the user. */
function tick(): void {
  const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-time-ago]')) {
    const at = Date.parse(element.dateTime);
    const text = relativeTime(at, Date.now());
    element.title = local.format(at);
    // Changes the text node itself, because React keeps a reference to it.
    if (element.firstChild && element.firstChild.nodeValue !== text) element.firstChild.nodeValue = text;
  }
}
