'use client';

import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
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
 * section 9). It opens by itself when the person comes to a page inside it.
 * @returns `moved` is false until the person toggles, so that a remembered state does not play as an animation
 */
export function useGroupOpen(id: string, holdsCurrent: boolean) {
  const open = useSyncExternalStore(
    subscribe,
    () => read(id),
    () => true,
  );
  const [moved, setMoved] = useState(false);

  useEffect(() => {
    if (holdsCurrent && !read(id)) write(id, true);
  }, [holdsCurrent, id]);

  const toggle = useCallback(() => {
    setMoved(true);
    write(id, !read(id));
  }, [id]);

  return { open, moved, toggle };
}
