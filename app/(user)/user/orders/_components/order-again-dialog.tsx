'use client';

import { lazy } from 'react';
import { LazyDialog } from './lazy-dialog';
import { loadDialog } from './load-dialogs';
import type { OrderAgainFormProps } from './order-again-form';

const OrderAgainForm = lazy(() => loadDialog.again().then((module) => ({ default: module.OrderAgainForm })));

/** The same site or package once more. */
export function OrderAgainDialog({
  title,
  closeHref,
  ...form
}: OrderAgainFormProps & { title: string; closeHref: string }) {
  return (
    <LazyDialog
      dialog="again"
      title={title}
      description="The same once more, at today’s price."
      closeHref={closeHref}
      size="md"
    >
      <OrderAgainForm {...form} />
    </LazyDialog>
  );
}
