import type { ReactNode } from 'react';

export type ToastKind = 'success' | 'error' | 'info';
type ToastOptions = { description?: ReactNode; durationMs?: number };
export type ToastMessage = ToastOptions & { kind: ToastKind; text: ReactNode };

type Listener = (message: ToastMessage) => void;

let listener: Listener | null = null;
const waiting: ToastMessage[] = [];

/** The Toaster's ear. Messages sent before it listens are kept for it. */
export function listenForToasts(next: Listener): () => void {
  listener = next;
  for (const message of waiting.splice(0)) next(message);
  return () => {
    listener = null;
  };
}

function send(kind: ToastKind) {
  return (text: ReactNode, options: ToastOptions = {}) => {
    const message = { kind, text, ...options };
    if (listener) listener(message);
    else waiting.push(message);
  };
}

/** A short message in the corner; it goes after 3 seconds (spec 001, section 9) unless `durationMs` says otherwise. */
export const toast = { success: send('success'), error: send('error'), info: send('info') };
