import { TransactionAmount } from '@/components/wallet/transaction-amount';
import { typeNames } from '@/components/wallet/transaction-columns';
import { TransactionDate } from '@/components/wallet/transaction-date';
import { TransactionStatus } from '@/components/wallet/transaction-status';
import type { AdminTransactionRow } from '@/lib/wallet/admin-views';
import { DeleteTransaction } from './delete-transaction';
import { TransactionNote } from './transaction-note';
import { UserName } from './user-name';

/** One transaction on a phone. */
export function TransactionCard({ line }: { line: AdminTransactionRow }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-start justify-between gap-3">
        <UserName name={line.userName} email={line.userEmail} />
        <TransactionAmount type={line.type} amountCents={line.amountCents} isPending={line.status === 'Pending'} />
      </div>
      <div className="text-sm">
        <TransactionNote line={line} />
      </div>
      <div className="flex items-end justify-between gap-3 text-sm">
        <div>
          <TransactionDate at={line.createdAt} />
        </div>
        <span className="flex items-center gap-2">
          <TransactionStatus status={line.status} />
          <DeleteTransaction line={line} />
        </span>
      </div>
      <p className="text-muted text-xs">
        {typeNames[line.type]}
        {line.method ? ` · ${line.method}` : ''} · <span className="break-all font-mono">{line.id}</span>
      </p>
    </div>
  );
}
