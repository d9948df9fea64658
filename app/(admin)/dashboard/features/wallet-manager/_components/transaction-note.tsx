import Link from 'next/link';
import { Badge } from '@/components/ui/badge';
import type { AdminTransactionRow } from '@/lib/wallet/admin-views';

/** The note leads to the order it is about on the order desk; money that is not real is marked. */
export function TransactionNote({ line }: { line: AdminTransactionRow }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      {line.orderId === null ? (
        <span className="wrap-anywhere">{line.note || '–'}</span>
      ) : (
        <Link
          prefetch={false}
          href={`/dashboard/features/orders?order=${line.orderId}`}
          className="wrap-anywhere rounded-sm text-accent-ink hover:underline"
        >
          {line.note || `Order #${line.orderId}`}
        </Link>
      )}
      {line.mode ? <Badge>Test money</Badge> : null}
    </span>
  );
}
