import { TransactionAmount } from '@/components/wallet/transaction-amount';
import { typeNames } from '@/components/wallet/transaction-columns';
import { TransactionDate } from '@/components/wallet/transaction-date';
import { TransactionStatus } from '@/components/wallet/transaction-status';
import type { WalletTransactionRow } from '@/lib/wallet/views';
import { TransactionNote } from './transaction-note';

/** A transaction on a narrow screen. */
export function TransactionCard({ line }: { line: WalletTransactionRow }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0 text-sm">
          <TransactionNote line={line} />
        </div>
        <TransactionAmount type={line.type} amountCents={line.amountCents} isPending={line.status === 'Pending'} />
      </div>
      <div className="flex items-end justify-between gap-3 text-sm">
        <div>
          <TransactionDate at={line.createdAt} />
        </div>
        <TransactionStatus status={line.status} />
      </div>
      <p className="text-muted text-xs">
        {typeNames[line.type]}
        {line.method ? ` · ${line.method}` : ''} · <span className="break-all font-mono">{line.id}</span>
      </p>
    </div>
  );
}
