import { batchesPath, payoutTabs } from '@/app/(admin)/dashboard/features/(screens)/payouts/_components/payout-tabs';
import { ProtectedDownload } from '@/components/security/protected-download';
import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column, moneyColumn, noValue } from '@/components/table/data-table';
import { RecordList } from '@/components/table/record-list';
import type { SearchParams } from '@/components/table/url';
import { Badge } from '@/components/ui/badge';
import { buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Tabs } from '@/components/ui/tabs';
import { TimeAgo } from '@/components/ui/time-ago';
import { requirePage } from '@/lib/auth/page-guard';
import { listPayoutBatches } from '@/lib/payouts/batches';
import { type PayoutBatchView, payoutBatchView } from '@/lib/payouts/contract';
import { RetryBatch, UploadPayouts } from './_components/batch-actions';

export const metadata = { title: 'Payout batches' };

const kindNames = { 'pain.001': 'Bank file (pain.001)', csv: 'Bank file (CSV)', paypal: 'PayPal' } as const;

const batchColumns: Column<PayoutBatchView>[] = [
  {
    header: 'Batch',
    phone: 'title',
    cell: (batch) => <BatchName batch={batch} />,
    className: 'w-full max-w-0 min-w-44',
  },
  {
    header: 'Payouts',
    phone: 'labeled',
    align: 'right',
    cell: ({ payoutCount }) => payoutCount.toLocaleString('en-US'),
  },
  { header: 'State', cell: (batch) => <BatchState batch={batch} />, className: 'min-w-40' },
  moneyColumn('Total', ({ totalCents }) => [totalCents]),
  {
    header: 'Execution date',
    phone: 'labeled',
    cell: ({ executionDate }) => executionDate || noValue,
    className: 'whitespace-nowrap',
  },
  {
    header: 'Created',
    phone: 'labeled',
    cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
    className: 'whitespace-nowrap',
  },
  actionsColumn((batch) => <BatchAction batch={batch} />),
];

export default async function PayoutBatchesPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManagePayouts');
  const batches = (await listPayoutBatches()).map(payoutBatchView);
  return (
    <>
      <RecordList
        {...screenTexts('/dashboard/features/payouts')}
        actions={<UploadPayouts />}
        caption="Batches of payouts"
        columns={batchColumns}
        rows={batches}
        rowKey={({ id }) => id}
        pathname={batchesPath}
        searchParams={await searchParams}
        empty={{
          icon: <Icon name="landmark" />,
          title: 'No batches',
          children: 'Select approved payouts and export them, or send them with PayPal.',
        }}
      >
        <div className="mb-6">
          <Tabs label="Payout views" tabs={payoutTabs('batches')} />
        </div>
      </RecordList>
      <p className="mt-3 text-muted text-sm">The newest 100 batches.</p>
    </>
  );
}

type BatchProps = { batch: PayoutBatchView };

function BatchName({ batch: { id, kind, createdBy, error } }: BatchProps) {
  return (
    <span className="grid min-w-0 justify-items-start gap-1">
      <span className="font-medium text-ink">{kindNames[kind]}</span>
      <span className="wrap-anywhere text-muted text-xs">
        {id}
        {createdBy ? ` by ${createdBy}` : ''}
      </span>
      {error ? <span className="wrap-anywhere text-red-ink text-xs">{error}</span> : null}
    </span>
  );
}

/** Shows what became of the payouts of a batch. */
function BatchState({ batch: { kind, reference, nextActionAt, payoutCount, openCount, paidCount } }: BatchProps) {
  const isUnsent = kind === 'paypal' && reference === null && openCount > 0;
  if (isUnsent) return nextActionAt ? <Badge tone="blue">Being sent</Badge> : <Badge tone="red">Not confirmed</Badge>;
  const ended = payoutCount - openCount - paidCount;
  const parts = [
    openCount > 0 ? `${openCount} open` : '',
    paidCount > 0 ? `${paidCount} paid` : '',
    ended > 0 ? `${ended} not paid` : '',
  ].filter(Boolean);
  return <Badge tone={openCount > 0 ? 'blue' : ended > 0 ? 'yellow' : 'green'}>{parts.join(', ')}</Badge>;
}

function BatchAction({ batch: { id, kind, reference, nextActionAt, openCount, fileUrl, executionDate } }: BatchProps) {
  // A batch that PayPal accepted can be read at any time; one without an answer is sent only while it is tried.
  if (kind === 'paypal') return openCount > 0 && (reference || nextActionAt) ? <RetryBatch id={id} /> : null;
  if (!fileUrl) return null;
  return (
    <ProtectedDownload
      href={fileUrl}
      aria-label={`Download the bank file of ${executionDate}`}
      className={buttonClass({ size: 'sm' })}
    >
      <Icon name="file-down" />
      Download
    </ProtectedDownload>
  );
}
