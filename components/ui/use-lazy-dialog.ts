'use client';

import { useState } from 'react';

/**
 * Keeps a dialog whose code comes later: `wanted` once it was opened (it is rendered from then on, so that it can close
 * gracefully), `opener` for the button that opens it. Its code and the panel's are fetched when the pointer or the
 * keyboard nears the button, so that the press finds them there and the page pays for neither.
 * @param load fetches the dialog's module: the function its `lazyPart` has
 */
export function useLazyDialog(load: () => Promise<unknown>) {
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const preload = () => {
    // An answer lost now is asked for again by the press, whose failure shows.
    void Promise.allSettled([load(), import('./dialog-panel')]);
  };
  return {
    open,
    setOpen,
    wanted,
    preload,
    opener: {
      'aria-haspopup': 'dialog',
      onPointerEnter: preload,
      onFocus: preload,
      onClick: () => {
        setWanted(true);
        setOpen(true);
      },
    },
  } as const;
}
