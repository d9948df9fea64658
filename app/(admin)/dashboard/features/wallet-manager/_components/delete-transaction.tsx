import { formatMoney, walletCurrency } from '@/lib/money';
import { type AdminTransactionRow, getDeletionRefusal } from '@/lib/wallet/admin-views';
import { DeleteButton } from './delete-button';

/** The way to delete a transaction; for one that must stay, why. */
export function DeleteTransaction({ line }: { line: AdminTransactionRow }) {
  const money = formatMoney(line.amountCents, walletCurrency);
  return (
    <DeleteButton
      id={line.id}
      what={`${money} of ${line.userName || line.userEmail}`}
      refusal={getDeletionRefusal(line.kind, line.orderId)}
      isPaidIn={line.kind === 'topup'}
      method={line.method}
    />
  );
}
