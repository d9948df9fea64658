import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import { type AuditLogView, formatAction } from '@/lib/audit/views';
import { DetailLink } from './detail-link';

/** One entry on a phone. */
export function AuditCard({ entry, detailHref }: { entry: AuditLogView; detailHref: string }) {
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <p className="flex items-baseline justify-between gap-3">
        <span className="font-medium text-ink">{formatAction(entry.action)}</span>
        {entry.amount === null ? null : <Money amountMinor={Math.round(entry.amount * 100)} className="text-ink" />}
      </p>
      <p className="wrap-anywhere">{entry.details}</p>
      <div className="flex items-center justify-between gap-3">
        <p className="min-w-0 truncate text-muted text-xs">
          {entry.user} · <TimeAgo at={entry.timestamp} />
        </p>
        <DetailLink id={entry.id} href={detailHref} />
      </div>
    </div>
  );
}
