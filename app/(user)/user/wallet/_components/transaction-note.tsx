import Link from 'next/link';
import { Badge } from '@/components/ui/badge';
import type { WalletTransactionRow } from '@/lib/wallet/views';

/** The note leads to the order it is about; money that is not real is marked. */
export function TransactionNote({ line }: { line: WalletTransactionRow }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      {line.orderId === null ? (
        <span className="wrap-anywhere min-w-0">{line.note || '–'}</span>
      ) : (
        <Link
          prefetch={false}
          href={`/user/orders?order=${line.orderId}`}
          className="wrap-anywhere min-w-0 rounded-sm text-accent-ink hover:underline"
        >
          {line.note || `Order #${line.orderId}`}
        </Link>
      )}
      {line.mode ? <Badge>Test money</Badge> : null}
    </span>
  );
}
