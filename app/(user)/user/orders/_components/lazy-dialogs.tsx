'use client';

import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react';
import { useHydrated } from '@/components/auth/use-hydrated';
import { loadDialog } from './load-dialogs';

const NewOrder = lazy(loadDialog.package);
const BuildCustom = lazy(loadDialog.custom);
const Again = lazy(loadDialog.again);

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
  return useHydrated() ? <Suspense>{children}</Suspense> : null;
}
