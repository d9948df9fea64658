'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLeaveWarning } from '@/components/form/unsaved-changes';
import { setCartCount } from '@/components/sites/cart-count';
import type { Cart } from '@/lib/orders/carts/contract';
import { type CartEditor, type CartSnapshot, createCartEditor, wouldLoseEdits } from './cart-editor';

/** Holds the state of a cart's table. Unsaved edits are sent when the user leaves the page. */
export function useCartEditor(cart: Cart): [CartEditor, CartSnapshot] {
  const [editor] = useState(() => createCartEditor(cart));
  const snapshot = useSyncExternalStore(editor.subscribe, editor.get, editor.get);
  useLeaveWarning(wouldLoseEdits(snapshot));

  useEffect(() => {
    const saveHidden = () => {
      if (document.visibilityState === 'hidden') void editor.save();
    };
    document.addEventListener('visibilitychange', saveHidden);
    window.addEventListener('pagehide', editor.flush);
    return () => {
      document.removeEventListener('visibilitychange', saveHidden);
      window.removeEventListener('pagehide', editor.flush);
      void editor.save();
    };
  }, [editor]);

  const { id, items } = snapshot.cart;
  useEffect(() => setCartCount(id, items.length), [id, items.length]);
  return [editor, snapshot];
}
