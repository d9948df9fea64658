'use client';

import type { ComponentProps } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { AddFundsForm } from './add-funds-form';

type AddFundsDialogProps = ComponentProps<typeof AddFundsForm> & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** Add Funds: amount and method. */
export function AddFundsDialog({ open, onOpenChange, ...form }: AddFundsDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add Funds"
      description={
        form.back
          ? 'Your order needs this much more. You return to it as soon as the payment is confirmed.'
          : 'The money is in your wallet as soon as the payment is confirmed.'
      }
      size="sm"
    >
      <AddFundsForm {...form} />
    </Dialog>
  );
}
