'use client';

import { RecordDialog } from '@/components/table/record-dialog';
import { OrderAgainForm, type OrderAgainFormProps } from './order-again-form';

type OrderAgainDialogProps = OrderAgainFormProps & { title: string; closeHref: string };

/** The same site or package once more. */
export function OrderAgainDialog({ title, closeHref, ...form }: OrderAgainDialogProps) {
  return (
    <RecordDialog title={title} description="The same once more, at today’s price." closeHref={closeHref} size="md">
      <OrderAgainForm {...form} />
    </RecordDialog>
  );
}
