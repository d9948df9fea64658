'use client';

import dynamic from 'next/dynamic';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Kbd } from '@/components/ui/keyboard';
import { retryChunk } from '@/components/ui/retry-chunk';
import type { ShellUser } from './nav';
import type { PalettePortal } from './palette-options';

const Palette = dynamic(
  retryChunk(() => import('./palette').then((module) => module.Palette)),
  { ssr: false },
);

const never = () => () => undefined;
const isApple = () => /Mac|iP(hone|ad|od)/.test(navigator.platform);

type PaletteButtonProps = {
  portal: PalettePortal;
  user: ShellUser;
  /** The hrefs of turned-off features. */
  closed?: readonly string[];
  /** Shows the icon alone. */
  isSmall?: boolean;
  /** Shows no button: where another search is beside it, the keys open the palette. */
  isHidden?: boolean;
};

const names: Record<PalettePortal, string> = { admin: 'the console', user: 'your account', seller: 'the portal' };

/** Opens the command palette, as Ctrl K and ⌘ K do on every page of a portal. Its code is loaded with the first opening. */
export function PaletteButton({ portal, user, closed = [], isSmall = false, isHidden = false }: PaletteButtonProps) {
  const [open, setOpen] = useState(false);
  const apple = useSyncExternalStore(never, isApple, () => false);
  // Stays mounted after the first opening, for the closing animation.
  const [isMounted, setMounted] = useState(false);
  if (open && !isMounted) setMounted(true);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  return (
    <>
      {isHidden ? null : (
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          aria-keyshortcuts="Control+K Meta+K"
          className={buttonClass({
            size: 'sm',
            className: isSmall ? 'w-8 px-0 text-muted' : 'text-muted max-sm:w-8 max-sm:px-0 sm:w-44 sm:justify-start',
          })}
        >
          <Icon name="search" />
          <span className={isSmall ? 'sr-only' : 'max-sm:sr-only'}>
            Search<span className="sr-only"> {names[portal]}</span>
          </span>
          {isSmall ? null : (
            <span aria-hidden="true" className="ml-auto max-sm:hidden">
              <Kbd>{apple ? '⌘ K' : 'Ctrl K'}</Kbd>
            </span>
          )}
        </button>
      )}
      {isMounted ? <Palette portal={portal} user={user} closed={closed} open={open} onOpenChange={setOpen} /> : null}
    </>
  );
}
