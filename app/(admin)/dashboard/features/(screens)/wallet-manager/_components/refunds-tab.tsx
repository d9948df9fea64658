import { actionsColumn, type Column, UserName } from '@/components/table/data-table';
import { RecordList } from '@/components/table/record-list';
import { readFilters, readIdPageParams, type SearchParams } from '@/components/table/url';
import { Badge } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import { RefundAmount, RefundState, refundStateLabels } from '@/components/wallet/transaction-columns';
import { sourceRefundStates } from '@/db/schema/source-refunds';
import { providerNames } from '@/lib/payments/providers/names';
import {
  type AdminSourceRefundView,
  adminRefundsQuery,
  adminSourceRefundView,
} from '@/lib/payments/reversals/source-refunds/contract';
import { listRefunds } from '@/lib/payments/reversals/source-refunds/queries';
import { parseFilters } from '@/lib/platform/http/parse';
import { RefundMenu } from './transaction-actions';

const columns: Column<AdminSourceRefundView>[] = [
  { header: 'Requested', className: 'whitespace-nowrap', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  {
    header: 'User',
    phone: 'title',
    className: 'w-[34%] max-w-0 min-w-40',
    cell: (refund) => <Buyer refund={refund} />,
  },
  { header: 'Provider', className: 'whitespace-nowrap', cell: ({ provider }) => providerNames[provider] },
  { header: 'Amount', phone: 'end', align: 'right', cell: (refund) => <RefundAmount refund={refund} /> },
  { header: 'Reason', phone: 'line', className: 'min-w-40', cell: (refund) => <Reason refund={refund} /> },
  { header: 'State', phone: 'line', className: 'w-[40%] min-w-44', cell: (refund) => <State refund={refund} /> },
  actionsColumn((refund) => <RefundMenu refund={refund} />),
];

type RefundsTabProps = { pathname: string; searchParams: SearchParams };

/** Lists the requests of buyers, and all refunds to payment methods. */
export async function RefundsTab({ pathname, searchParams }: RefundsTabProps) {
  const page = readIdPageParams(searchParams);
  const { q, state } = parseFilters(adminRefundsQuery, readFilters(searchParams, ['q', 'state'])).filter;
  const filter = { q, state };
  const { rows, ...counted } = await listRefunds({ ...filter, ...page.request });
  return (
    <RecordList
      {...counted}
      {...{ pathname, searchParams, columns, page, filter }}
      filters={[
        { placeholder: 'Buyer or id…', label: 'Search refunds' },
        {
          param: 'state',
          label: 'State',
          allLabel: 'All states',
          options: sourceRefundStates.map((value) => ({ value, label: refundStateLabels[value].label })),
        },
      ]}
      caption="Refunds to payment methods"
      rows={rows.map(adminSourceRefundView)}
      rowKey={({ id }) => id}
      wide
      records="refunds"
      noMatch="Try another buyer or state."
      empty={{
        icon: <Icon name="undo-2" />,
        title: 'No refunds yet',
        children: 'Requests of buyers appear here. To refund without a request, open Wallets.',
      }}
    />
  );
}

function Buyer({ refund: { userName, userEmail, userStatus } }: { refund: AdminSourceRefundView }) {
  return (
    <span className="grid min-w-0 justify-items-start gap-1">
      <UserName name={userName} email={userEmail} />
      {userStatus === 'Active' ? null : <Badge tone="grey">{userStatus}</Badge>}
    </span>
  );
}

function Reason({ refund: { reason, isRequestedByBuyer, requestedBy } }: { refund: AdminSourceRefundView }) {
  return (
    <span className="grid gap-1">
      <span className="wrap-anywhere">{reason || '–'}</span>
      {isRequestedByBuyer ? null : <span className="wrap-anywhere text-muted text-xs">By {requestedBy}</span>}
    </span>
  );
}

function State({ refund }: { refund: AdminSourceRefundView }) {
  const { state, mode, isAwaitingApproval, answer, error, providerReference } = refund;
  const waits = isAwaitingApproval ? 'Waits for the approval of a second person' : '';
  return <RefundState state={state} isTest={mode !== 'live'} notes={[waits, error || answer, providerReference]} />;
}
