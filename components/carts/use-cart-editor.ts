'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLeaveWarning } from '@/components/form/unsaved-changes';
import { setCartCount } from '@/components/sites/cart-count';
import type { Cart } from '@/lib/orders/carts/contract';
import { type CartEditor, type CartSnapshot, createCartEditor, wouldLoseEdits } from './cart-editor';

/** Checks whether the page was loaded again: it may be rendered before the edits were saved with which it was left. */
function isLoadedAgain(): boolean {
  const [loaded] = performance.getEntriesByType('navigation');
  return loaded instanceof PerformanceNavigationTiming && loaded.type !== 'navigate';
}

/**
 * Holds the state of a cart's table. Unsaved edits are sent when the user leaves the page, and the next page is read
 * again: Back shows the marketplace as it was rendered before.
 */
export function useCartEditor(cart: Cart): [CartEditor, CartSnapshot] {
  const router = useRouter();
  const [editor] = useState(() => createCartEditor(cart));
  const snapshot = useSyncExternalStore(editor.subscribe, editor.get, editor.get);
  useLeaveWarning(wouldLoseEdits(snapshot));

  useEffect(() => {
    const { version } = editor.get().cart;
    const saveHidden = () => {
      if (document.visibilityState === 'hidden') void editor.save();
    };
    const saveNow = () => void editor.save();
    document.addEventListener('visibilitychange', saveHidden);
    // Before the request for the next page; `pagehide` comes with its answer, and also where this one does not.
    window.addEventListener('beforeunload', saveNow);
    window.addEventListener('pagehide', editor.flush);
    return () => {
      document.removeEventListener('visibilitychange', saveHidden);
      window.removeEventListener('beforeunload', saveNow);
      window.removeEventListener('pagehide', editor.flush);
      void editor.save().then(() => {
        if (editor.get().cart.version !== version) router.refresh();
      });
    };
  }, [editor, router]);

  useEffect(() => {
    // What it finds is the own edit, which needs no notice.
    if (isLoadedAgain()) void editor.refresh().then(editor.dismissNotice);
  }, [editor]);

  const { id, items } = snapshot.cart;
  useEffect(() => setCartCount(id, items.length), [id, items.length]);
  return [editor, snapshot];
}
