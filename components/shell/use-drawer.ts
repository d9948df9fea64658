'use client';

import { useEffect, useRef, useState } from 'react';

/** Where the side menus of the specification begin to stand by themselves. */
const standing = '(min-width: 768px)';

/**
 * The side menu of small screens: closed by a new page, by Escape and by a window grown wide. Focus goes in when it
 * opens and back to its opener when it closes.
 */
export function useDrawer(pathname: string) {
  const [openOn, setOpenOn] = useState<string | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const drawer = useRef<HTMLElement>(null);
  const open = openOn === pathname;

  useEffect(() => {
    if (!open) return;
    drawer.current?.querySelector<HTMLElement>('a, button')?.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpenOn(null);
    };
    const wide = matchMedia(standing);
    const onResize = () => setOpenOn(null);
    const back = opener.current;
    document.addEventListener('keydown', onKey);
    wide.addEventListener('change', onResize);
    return () => {
      document.removeEventListener('keydown', onKey);
      wide.removeEventListener('change', onResize);
      // After React has lifted `inert` from the page, where the opener stands.
      requestAnimationFrame(() => back?.focus());
    };
  }, [open]);

  return { open, show: () => setOpenOn(pathname), close: () => setOpenOn(null), opener, drawer };
}
