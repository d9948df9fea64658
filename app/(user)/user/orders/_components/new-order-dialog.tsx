'use client';

import { lazy } from 'react';
import { LazyDialog } from './lazy-dialog';
import { loadDialog } from './load-dialogs';
import type { NewOrderFormProps } from './new-order-form';

const NewOrderForm = lazy(() => loadDialog.package().then((module) => ({ default: module.NewOrderForm })));

/** New Order: a package, how many of it, and for which project. */
export function NewOrderDialog({ closeHref, ...form }: NewOrderFormProps & { closeHref: string }) {
  return (
    <LazyDialog
      dialog="package"
      title="New Order"
      description="A package of placements, paid from your wallet."
      closeHref={closeHref}
    >
      <NewOrderForm {...form} />
    </LazyDialog>
  );
}
