'use client';

import type { ComponentProps, ReactNode } from 'react';
import { useHydrated } from '@/components/auth/use-hydrated';
import { lazyPart } from '@/components/ui/lazy-part';
import { loadDialog } from './load-dialogs';

const NewOrder = lazyPart(loadDialog.package, { isDialog: true });
const BuildCustom = lazyPart(loadDialog.custom, { isDialog: true });
const Again = lazyPart(loadDialog.again, { isDialog: true });

export function NewOrderDialog(props: ComponentProps<typeof NewOrder>) {
  return (
    <InBrowser>
      <NewOrder {...props} />
    </InBrowser>
  );
}

export function BuildCustomDialog(props: ComponentProps<typeof BuildCustom>) {
  return (
    <InBrowser>
      <BuildCustom {...props} />
    </InBrowser>
  );
}

export function OrderAgainDialog(props: ComponentProps<typeof Again>) {
  return (
    <InBrowser>
      <Again {...props} />
    </InBrowser>
  );
}

/** A dialog is nothing on the server, and there its boundary would only be hydrated late. */
function InBrowser({ children }: { children: ReactNode }) {
  return useHydrated() ? children : null;
}
