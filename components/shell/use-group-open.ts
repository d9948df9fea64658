'use client';

import { useCallback, useState, useSyncExternalStore } from 'react';
import { readStored, writeStored } from './browser-storage';

const listeners = new Set<() => void>();

const storageKey = (id: string) => `admin_group_${id}`;
const read = (id: string) => readStored(storageKey(id)) !== '0';

function write(id: string, open: boolean): void {
  writeStored(storageKey(id), open ? '1' : '0');
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/**
 * Whether a sidebar group is open: `admin_group_{id}` in browser storage, 1 or 0, expanded by default (spec 000,
 * section 9). It opens by itself while the current page is inside it, which changes nothing of what is remembered: only
 * the person writes there.
 * @returns `moved` is false until the person toggles, so that a remembered state does not play as an animation
 */
export function useGroupOpen(id: string, holdsCurrent: boolean) {
  const remembered = useSyncExternalStore(
    subscribe,
    () => read(id),
    () => true,
  );
  const [moved, setMoved] = useState(false);
  // Closed by hand although the current page is inside; over once that page is left.
  const [dismissed, setDismissed] = useState(false);
  if (dismissed && !holdsCurrent) setDismissed(false);
  const open = remembered || (holdsCurrent && !dismissed);

  const toggle = useCallback(() => {
    setMoved(true);
    setDismissed(open);
    write(id, !open);
  }, [id, open]);

  return { open, moved, toggle };
}
