'use client';

import { type ComponentType, useEffect, useState } from 'react';
import { relativeTime } from './time-ago';

/**
 * Updates every TimeAgo of the page once a minute and when the tab becomes visible, and shows the exact time in the
 * user's time zone as its title. Mounted once, in the root layout. It does nothing while the page loads: the texts were
 * rendered a moment ago, and one that grows ("9 minutes ago", "10 minutes ago") would move the columns of its table.
 */
export function TimeTicker() {
  useEffect(() => {
    const timer = setInterval(tick, 60_000);
    document.addEventListener('visibilitychange', tick);
    document.addEventListener('pointerover', localizeTitle);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
      document.removeEventListener('pointerover', localizeTitle);
    };
  }, []);
  return null;
}

function tick(): void {
  for (const element of document.querySelectorAll<HTMLTimeElement>('time[data-time-ago]')) {
    const text = relativeTime(Date.parse(element.dateTime), Date.now());
    // Changes the text node itself, because React keeps a reference to it.
    if (element.firstChild && element.firstChild.nodeValue !== text) element.firstChild.nodeValue = text;
  }
}

let local: Intl.DateTimeFormat | undefined;

/** Sets the title when the pointer enters, because a page would wait for the formatter's locale data as it loads. */
function localizeTitle({ target }: PointerEvent): void {
  const element = target instanceof Element ? target.closest<HTMLTimeElement>('time[data-time-ago]') : null;
  if (!element) return;
  local ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
  element.title = local.format(Date.parse(element.dateTime));
}

const events = ['pointerover', 'focusin'] as const;

/**
 * Shows texts that are cut, and those of `data-tooltip`, on hover and on keyboard focus. Mounted once, in the root
 * layout. Its code is loaded with the first movement, and again with a later one if that fails.
 */
export function Tooltips() {
  const [Layer, setLayer] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (Layer) return;
    const forget = () => {
      for (const name of events) document.removeEventListener(name, load);
    };
    const listen = () => {
      for (const name of events) document.addEventListener(name, load);
    };
    const load = () => {
      forget();
      import('./tooltip-layer').then(({ TooltipLayer }) => setLayer(() => TooltipLayer), listen);
    };
    listen();
    return forget;
  }, [Layer]);
  return Layer ? <Layer /> : null;
}
