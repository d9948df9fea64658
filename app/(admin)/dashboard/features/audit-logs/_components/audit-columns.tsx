import type { Column } from '@/components/table/data-table';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import { type AuditLogView, formatAction } from '@/lib/audit/views';
import { DetailLink } from './detail-link';

/** @param detailHref where an entry's details open */
export function auditColumns(detailHref: (id: number) => string): Column<AuditLogView>[] {
  return [
    {
      key: 'time',
      header: 'Time',
      cell: (entry) => <TimeAgo at={entry.timestamp} className="whitespace-nowrap text-muted" />,
    },
    {
      key: 'user',
      header: 'User',
      cell: (entry) => (
        <span className="block min-w-0">
          <span className="block truncate text-ink">{entry.user}</span>
          <span className="block truncate text-muted text-xs">{entry.role}</span>
        </span>
      ),
      className: 'w-1/5 min-w-40 max-w-0',
    },
    {
      key: 'action',
      header: 'Action',
      cell: (entry) => <span className="whitespace-nowrap text-ink">{formatAction(entry.action)}</span>,
    },
    {
      key: 'details',
      header: 'Details',
      cell: (entry) => <span className="line-clamp-2 wrap-anywhere">{entry.details}</span>,
      className: 'w-1/2 min-w-48',
    },
    {
      key: 'amount',
      header: 'Amount',
      align: 'right',
      cell: (entry) =>
        entry.amount === null ? (
          <span className="text-subtle">
            <span aria-hidden="true">–</span>
            <span className="sr-only">none</span>
          </span>
        ) : (
          <Money amountMinor={Math.round(entry.amount * 100)} className="text-ink" />
        ),
    },
    { key: 'source', header: 'Source', cell: (entry) => entry.source, className: 'hidden xl:table-cell' },
    {
      key: 'actions',
      header: 'Actions',
      headerHidden: true,
      align: 'right',
      cell: (entry) => <DetailLink id={entry.id} href={detailHref(entry.id)} />,
    },
  ];
}
