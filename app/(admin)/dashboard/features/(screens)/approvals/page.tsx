import { screenTexts } from '@/components/shell/screen-texts';
import type { Column } from '@/components/table/data-table';
import { RecordList } from '@/components/table/record-list';
import type { SearchParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { Badge } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import { hasPermission } from '@/lib/access/authorize';
import { settlingHours } from '@/lib/access/settled-rights';
import { getApprovalLimit } from '@/lib/approvals/limit';
import { type ApprovalRow, listApprovals, visibleKinds } from '@/lib/approvals/queries';
import { approvalDays } from '@/lib/approvals/schemas';
import { requirePage } from '@/lib/auth/page-guard';
import { toDecimalString } from '@/lib/money';
import { DecideActions, LimitForm } from './_components/approval-controls';

const states = {
  pending: { label: 'Pending', tone: 'yellow' },
  approved: { label: 'Approved', tone: 'green' },
  rejected: { label: 'Rejected', tone: 'red' },
  expired: { label: 'Expired', tone: 'grey' },
} as const;

const approvalColumns: Column<ApprovalRow>[] = [
  {
    header: 'Change',
    phone: 'title',
    cell: ({ summary }) => <span className="wrap-anywhere text-ink">{summary}</span>,
    className: 'w-[40%] min-w-60',
  },
  {
    header: 'Requested',
    cell: ({ requestedBy, requestedAt }) => (
      <span className="grid">
        <span className="wrap-anywhere line-clamp-2">{requestedBy}</span>
        <TimeAgo at={requestedAt} className="text-muted text-xs" />
      </span>
    ),
    className: 'min-w-40',
  },
  { header: 'State', phone: 'end', cell: ({ state }) => <StateBadge state={state} /> },
  { header: 'Decision', phone: 'line', cell: (row) => <DecideApproval row={row} />, className: 'min-w-32' },
];

const pathname = '/dashboard/features/approvals';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

export default async function ApprovalsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'AdminDashboard');
  const [params, rows, limit] = await Promise.all([searchParams, listApprovals(actor), getApprovalLimit()]);
  return (
    <>
      <RecordList
        {...texts}
        {...{ pathname, rows }}
        caption="Approvals"
        columns={approvalColumns}
        rowKey={({ id }) => id}
        searchParams={params}
        empty={{
          icon: <Icon name="circle-check" />,
          title: 'No requests yet',
          children:
            'Credits, refunds and decisions of disputes above the limit, exchange rate changes of more than 20%, returns of payouts, two-step sign-in resets and rights of staff appear here.',
        }}
      >
        <p className="mb-4 text-muted text-sm">
          Requests expire after {approvalDays} days. You can approve those of people whose accounts are independent of
          yours, with rights that you have had for {settlingHours} hours.
        </p>
        {visibleKinds(actor).length === 0 ? (
          <Alert tone="info" className="mb-4">
            You can approve changes with one of the permissions ManageWallets, ManageOrders, ManagePayments and
            ManagePayouts.
          </Alert>
        ) : null}
      </RecordList>
      {hasPermission(actor, 'ManageWallets') ? (
        <LimitForm
          limit={toDecimalString(limit.limitCents)}
          approvesStaffRights={limit.approvesStaffRights}
          version={limit.version}
        />
      ) : null}
    </>
  );
}

function StateBadge({ state }: Pick<ApprovalRow, 'state'>) {
  return <Badge tone={states[state].tone}>{states[state].label}</Badge>;
}

/** Displays the actions of a pending or expired request; otherwise the user who decided it. */
function DecideApproval({ row }: { row: ApprovalRow }) {
  if (row.state === 'pending' || row.state === 'expired') {
    return (
      <DecideActions id={row.id} summary={row.summary} isRequester={row.isRequester} canApprove={row.canApprove} />
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
