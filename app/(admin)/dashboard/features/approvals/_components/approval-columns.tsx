import type { Column } from '@/components/table/data-table';
import { Badge } from '@/components/ui/badge';
import { TimeAgo } from '@/components/ui/time-ago';
import type { ApprovalRow } from '@/lib/approvals/queries';
import { DecideButtons } from './decide-buttons';

const states = {
  pending: { label: 'Pending', tone: 'yellow' },
  approved: { label: 'Approved', tone: 'green' },
  rejected: { label: 'Rejected', tone: 'red' },
  expired: { label: 'Expired', tone: 'grey' },
} as const;

export function StateBadge({ state }: Pick<ApprovalRow, 'state'>) {
  return <Badge tone={states[state].tone}>{states[state].label}</Badge>;
}

/** The buttons of a pending request, and who decided any other. */
export function DecideApproval({ row }: { row: ApprovalRow }) {
  if (row.state === 'pending' || row.state === 'expired') {
    return (
      <DecideButtons
        id={row.id}
        summary={row.summary}
        isRequester={row.isRequester}
        canApprove={row.state === 'pending' && !row.isRequester && !row.isBeneficiary}
      />
    );
  }
  return (
    <span className="wrap-anywhere text-muted">
      {row.decidedBy ?? 'Expired'}
      {row.decidedAt ? (
        <>
          , <TimeAgo at={row.decidedAt} />
        </>
      ) : null}
    </span>
  );
}

export const approvalColumns: Column<ApprovalRow>[] = [
  {
    key: 'change',
    header: 'Change',
    cell: ({ summary }) => <span className="wrap-anywhere text-ink">{summary}</span>,
    className: 'w-[40%] min-w-60',
  },
  {
    key: 'requested',
    header: 'Requested',
    cell: ({ requestedBy, requestedAt }) => (
      <span className="grid">
        <span className="wrap-anywhere">{requestedBy}</span>
        <TimeAgo at={requestedAt} className="text-muted text-xs" />
      </span>
    ),
    className: 'min-w-40',
  },
  { key: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { key: 'decision', header: 'Decision', cell: (row) => <DecideApproval row={row} />, className: 'min-w-44' },
];
