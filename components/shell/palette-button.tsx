'use client';

import { Search } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { buttonClass } from '../ui/button-class';
import { Kbd } from '../ui/kbd';
import { lazyPart } from '../ui/lazy-part';
import { useLazyDialog } from '../ui/use-lazy-dialog';
import type { ShellUser } from './types';

const loadPalette = () => import('./palette');
const Palette = lazyPart(loadPalette, { isDialog: true });

const never = () => () => undefined;
const isApple = () => /Mac|iP(hone|ad|od)/.test(navigator.platform);

/** Opens the command palette, as Ctrl K and ⌘ K do anywhere in the console; its code comes with the first opening. */
export function PaletteButton({ user }: { user: ShellUser }) {
  const { open, setOpen, wanted, opener } = useLazyDialog(loadPalette);
  const apple = useSyncExternalStore(never, isApple, () => false);
  const [byKey, setByKey] = useState(false);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setByKey(true);
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [setOpen]);

  return (
    <>
      <button
        type="button"
        {...opener}
        aria-label="Search the console"
        aria-keyshortcuts="Control+K Meta+K"
        className={buttonClass({ size: 'sm', className: 'text-muted max-sm:w-8 max-sm:px-0 sm:w-44 sm:justify-start' })}
      >
        <Search className="size-4" />
        <span className="max-sm:hidden">Search</span>
        <span className="ml-auto max-sm:hidden">
          <Kbd>{apple ? '⌘ K' : 'Ctrl K'}</Kbd>
        </span>
      </button>
      {wanted || byKey ? <Palette user={user} open={open} onOpenChange={setOpen} /> : null}
    </>
  );
}
