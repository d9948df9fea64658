'use client';

import { type ComponentType, type ReactNode, useSyncExternalStore } from 'react';
import { lazyPart } from './lazy-part';

const never = () => () => undefined;
const inBrowser = () => true;
const onServer = () => false;

/**
 * A dialog that the address opens (?license=7), whose code no other address needs. Nothing on the server, as every
 * dialog.
 * @param load fetches the dialog's module, whose default export it is
 */
export function lazyDialog<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const Dialog = lazyPart(
    async () => {
      // The panel it opens in comes beside its own code, not after it.
      const [dialog] = await Promise.all([load(), import('./dialog-panel')]);
      return dialog;
    },
    { isDialog: true },
  );
  return (props: Props) => (
    <InBrowser>
      <Dialog {...props} />
    </InBrowser>
  );
}

function InBrowser({ children }: { children: ReactNode }) {
  return useSyncExternalStore(never, inBrowser, onServer) ? children : null;
}
