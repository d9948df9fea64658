'use client';

import { useEffect, useRef, useState } from 'react';
import { listenForToasts, type ToastMessage } from './toast';
import { useFetchAhead } from './use-fetch-ahead';

type Sonner = typeof import('sonner');

const loadSonner = () => import('sonner');

function show(sonner: Sonner, { kind, text, description, durationMs = 3000 }: ToastMessage) {
  sonner.toast[kind](text, { description, duration: durationMs });
}

/**
 * Shows what `toast` sends. The toast library (9 kB) is fetched with the first message or soon after the page, so that
 * no first paint pays for it. Stands once, in the root layout.
 */
export function Toaster() {
  const [sonner, setSonner] = useState<Sonner | null>(null);
  const early = useRef<ToastMessage[]>([]);

  // The message of a lost connection must not need one.
  useFetchAhead(loadSonner);

  // With the library here, its own Toaster has mounted and listens: a child's effects run before its parent's.
  useEffect(() => {
    if (!sonner)
      return listenForToasts((message) => {
        early.current.push(message);
        // Every message asks: what was lost for one comes with the next, which then shows both.
        loadSonner().then(setSonner, () => undefined);
      });
    for (const message of early.current.splice(0)) show(sonner, message);
    return listenForToasts((message) => show(sonner, message));
  }, [sonner]);

  if (!sonner) return null;
  return <sonner.Toaster position="bottom-right" theme="system" offset={16} mobileOffset={12} gap={8} />;
}
