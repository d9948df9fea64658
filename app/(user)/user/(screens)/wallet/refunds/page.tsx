import type { Metadata } from 'next';
import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column, DataTable, noValue } from '@/components/table/data-table';
import { readIdPageParams, type SearchParams } from '@/components/table/url';
import { Alert } from '@/components/ui/alert';
import { ButtonLink } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { TimeAgo } from '@/components/ui/time-ago';
import { RefundAmount, RefundState } from '@/components/wallet/transaction-columns';
import { requirePage } from '@/lib/auth/page-guard';
import { formatMoney } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import {
  type RefundableTopupView,
  type SourceRefundView,
  sourceRefundView,
} from '@/lib/payments/reversals/source-refunds/contract';
import { listOwnRefunds, listRefundableTopups } from '@/lib/payments/reversals/source-refunds/queries';
import { flags, isFlagOn } from '@/lib/settings/feature-flags';
import { RequestRefund, WithdrawRefund } from './_components/refund-actions';

const pathname = '/user/wallet/refunds';
const texts = screenTexts(pathname);

export const metadata: Metadata = { title: texts.title };

export default async function RefundsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('user', 'account:wallet');
  const params = await searchParams;
  const page = readIdPageParams(params);
  const isOn = await isFlagOn('refunds-to-source');
  const [{ rows, ...counted }, topups] = await Promise.all([
    listOwnRefunds(actor.accountId, page.request),
    isOn ? listRefundableTopups(actor.accountId) : [],
  ]);
  return (
    <>
      <PageHeader {...texts} actions={<ButtonLink href="/user/wallet">Back to wallet</ButtonLink>} />
      {isOn ? (
        <section aria-labelledby="topups-heading" className="mb-8">
          <h2 id="topups-heading" className="mb-3 font-medium text-base text-ink">
            Your newest top-ups
          </h2>
          <DataTable
            caption="Top-ups"
            columns={topupColumns}
            rows={topups}
            rowKey={({ topupId }) => topupId}
            pathname={pathname}
            searchParams={params}
            empty={
              <EmptyState icon={<Icon name="credit-card" />} title="No paid top-ups">
                Top-ups by card, PayPal or WeChat Pay appear here.
              </EmptyState>
            }
          />
        </section>
      ) : (
        <Alert tone="info" className="mb-6">
          {flags['refunds-to-source'].off}
        </Alert>
      )}
      <section aria-labelledby="refunds-heading">
        <h2 id="refunds-heading" className="mb-3 font-medium text-base text-ink">
          Your refunds
        </h2>
        <DataTable
          caption="Refunds"
          columns={refundColumns}
          rows={rows.map(sourceRefundView)}
          rowKey={({ id }) => id}
          pathname={pathname}
          searchParams={params}
          empty={
            <EmptyState icon={<Icon name="undo-2" />} title="No refunds yet">
              Refunds that you request or that we make appear here.
            </EmptyState>
          }
          paging={{ ...counted, page }}
        />
      </section>
    </>
  );
}

const topupColumns: Column<RefundableTopupView>[] = [
  {
    key: 'paid',
    header: 'Paid',
    className: 'whitespace-nowrap',
    cell: ({ paidAt }) => (paidAt ? <TimeAgo at={paidAt} /> : noValue),
  },
  {
    key: 'provider',
    header: 'Method',
    phone: 'title',
    className: 'whitespace-nowrap',
    cell: ({ provider }) => providerNames[provider],
  },
  {
    key: 'amount',
    header: 'Amount',
    phone: 'end',
    align: 'right',
    cell: ({ amountCents, currency }) => <Money amountMinor={amountCents} currency={currency} />,
  },
  {
    key: 'refundable',
    header: 'Refundable',
    phone: 'labeled',
    className: 'w-full min-w-48',
    cell: (topup) => <RefundableAmount topup={topup} />,
  },
  actionsColumn((topup) => <TopupAction topup={topup} />),
];

function RefundableAmount({ topup: { refusal, refundableCents, currency } }: { topup: RefundableTopupView }) {
  if (refusal !== null) return <span className="text-muted text-sm">{refusal}</span>;
  return <Money amountMinor={refundableCents} currency={currency} className="font-medium text-ink" />;
}

function TopupAction({ topup }: { topup: RefundableTopupView }) {
  return topup.refundableCents > 0 ? <RequestRefund topup={topup} /> : null;
}

const refundColumns: Column<SourceRefundView>[] = [
  {
    key: 'requested',
    header: 'Requested',
    className: 'whitespace-nowrap',
    cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
  },
  {
    key: 'provider',
    header: 'Method',
    phone: 'title',
    className: 'whitespace-nowrap',
    cell: ({ provider }) => providerNames[provider],
  },
  { key: 'amount', header: 'Amount', phone: 'end', align: 'right', cell: (refund) => <RefundAmount refund={refund} /> },
  { key: 'state', header: 'State', className: 'w-full min-w-48', cell: (refund) => <State refund={refund} /> },
  actionsColumn((refund) => <RefundAction refund={refund} />),
];

const State = ({ refund: { state, isTest, answer } }: { refund: SourceRefundView }) => (
  <RefundState state={state} isTest={isTest} notes={[answer]} />
);

function RefundAction({ refund: { id, state, amountCents, currency } }: { refund: SourceRefundView }) {
  return state === 'requested' ? <WithdrawRefund id={id} amount={formatMoney(amountCents, currency)} /> : null;
}
