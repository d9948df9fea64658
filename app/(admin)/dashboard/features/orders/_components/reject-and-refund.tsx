'use client';

import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/confirm-dialog';
import { formatMoney, walletCurrency } from '@/lib/money';
import type { AdminOrderView } from '@/lib/orders/views';

type RejectAndRefundProps = { order: AdminOrderView; disabled: boolean; onConfirm: () => Promise<void> };

export function RejectAndRefund({ order, disabled, onConfirm }: RejectAndRefundProps) {
  const money = formatMoney(order.chargedCents, walletCurrency);
  return (
    <ConfirmDialog
      trigger={<Button disabled={disabled}>Reject and refund</Button>}
      title={`Reject order #${order.id} and refund ${money}?`}
      description={`${money} goes back to the wallet of ${order.userEmail}, and the order becomes Refunded. A comment you wrote is saved with it.`}
      confirmLabel="Reject and refund"
      onConfirm={onConfirm}
    />
  );
}
