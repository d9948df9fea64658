'use client';

import { RecordDialog } from '@/components/table/record-dialog';
import { NewOrderForm, type NewOrderFormProps } from './new-order-form';

/** New Order: a package, how many of it, and for which project. */
export function NewOrderDialog({ closeHref, ...form }: NewOrderFormProps & { closeHref: string }) {
  return (
    <RecordDialog title="New Order" description="A package of placements, paid from your wallet." closeHref={closeHref}>
      <NewOrderForm {...form} />
    </RecordDialog>
  );
}
