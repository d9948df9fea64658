'use client';

import { type ComponentType, useEffect, useState } from 'react';

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
