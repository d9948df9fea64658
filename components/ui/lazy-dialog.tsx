'use client';

import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react';

const never = () => () => undefined;
const inBrowser = () => true;
const onServer = () => false;

/**
 * A dialog that the address opens (?license=7), whose code no other address needs. Nothing on the server, as every
 * dialog.
 * @param load fetches the dialog's module, whose default export it is
 */
export function lazyDialog<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const Dialog = lazy(async () => {
    // The panel it opens in comes beside its own code, not after it.
    const [dialog] = await Promise.all([load(), import('./dialog-panel')]);
    return dialog;
  });
  return (props: Props) => <InBrowser>{createElement(Dialog, props)}</InBrowser>;
}

function InBrowser({ children }: { children: ReactNode }) {
  return useSyncExternalStore(never, inBrowser, onServer) ? <Suspense>{children}</Suspense> : null;
}
