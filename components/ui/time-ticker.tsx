'use client';

import { useEffect } from 'react';
import { relativeTime } from './relative-time';

/** Rewrites every TimeAgo of the page once a minute and when the tab comes back. Stands once, in the root layout. */
export function TimeTicker() {
  useEffect(() => {
    const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
    const tick = () => {
      for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-time-ago]')) {
        const at = Date.parse(element.dateTime);
        const text = relativeTime(at, Date.now());
        element.title = local.format(at);
        // The text node itself, which React goes on owning.
        if (element.firstChild && element.firstChild.nodeValue !== text) element.firstChild.nodeValue = text;
      }
    };
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
