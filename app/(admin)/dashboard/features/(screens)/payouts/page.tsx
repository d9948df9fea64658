import {
  PayoutMethodLabel,
  PayoutStateBadge,
  payoutMethodNames,
  payoutStateLabels,
} from '@/components/payouts/payout-labels';
import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column } from '@/components/table/data-table';
import { ExportLink } from '@/components/table/export-link';
import { RecordList } from '@/components/table/record-list';
import { readFilters, readIdPageParams, type SearchParams } from '@/components/table/url';
import { Badge } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { StatTile } from '@/components/ui/stat-tile';
import { Tabs } from '@/components/ui/tabs';
import { TimeAgo } from '@/components/ui/time-ago';
import { buildViewQuery, SavedViewLinks } from '@/components/users/saved-views';
import { SavedViewsButton } from '@/components/users/saved-views-button';
import { type PayoutState, payoutStates } from '@/db/schema/payouts';
import { requirePage } from '@/lib/auth/page-guard';
import { type AdminPayoutView, adminPayoutsQuery, adminPayoutView, type PayoutRisk } from '@/lib/payouts/contract';
import { findPayoutMode } from '@/lib/payouts/paypal/rail';
import { getPayoutTotals, getPaypalHeldCents, listPayouts, type PayoutTotal } from '@/lib/payouts/queries';
import { parseFilters } from '@/lib/platform/http/parse';
import { listSavedFilters } from '@/lib/users/saved-filters';
import { PayoutMenu } from './_components/payout-menu';
import { PayoutBulkBar, PayoutCheckbox, PayoutsCheckbox } from './_components/payout-selection';
import { payoutTabs } from './_components/payout-tabs';

const pathname = '/dashboard/features/payouts';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

const filterNames = ['q', 'state'] as const;

const riskLabels: Record<PayoutRisk, string> = {
  method_replaced: 'Method replaced',
  seller_suspended: 'Seller suspended',
  new_method: 'New method',
  first_payout: 'First payout',
  more_than_usual: 'More than usual',
  open_dispute: 'Open dispute',
};

/** PayPal's names of the states of a payout that is not decided. */
const paypalStates: Readonly<Record<string, string>> = {
  PENDING: 'pending',
  PROCESSING: 'pending',
  UNCLAIMED: 'not claimed yet',
  ONHOLD: 'on hold',
  HELD: 'on hold',
};

export default async function PayoutsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManagePayouts');
  const params = await searchParams;
  const page = readIdPageParams(params);
  const { q, state } = parseFilters(adminPayoutsQuery, readFilters(params, filterNames)).filter;
  const filter = { q, state };
  const [{ rows, ...counted }, totals, paypalCents, payoutMode, saved] = await Promise.all([
    listPayouts({ ...filter, ...page.request }),
    getPayoutTotals(),
    getPaypalHeldCents(),
    findPayoutMode(),
    listSavedFilters(actor.userId, pathname),
  ]);
  const views = { pathname, saved, query: buildViewQuery(params, filterNames) };
  const payouts = rows.map(adminPayoutView);
  const isSelectable = isSelectableWith(payoutMode !== null);
  return (
    <>
      <RecordList
        {...texts}
        {...counted}
        {...{ pathname, page, filter }}
        searchParams={params}
        filters={[
          { placeholder: 'Seller or id…', label: 'Search payouts by seller or id' },
          {
            param: 'state',
            label: 'State',
            allLabel: 'All states',
            options: payoutStates.map((value) => ({ value, label: payoutStateLabels[value].label })),
          },
        ]}
        listActions={
          <>
            <SavedViewsButton {...views} />
            <ExportLink pathname={pathname} filter={filter} />
          </>
        }
        note={<SavedViewLinks {...views} />}
        caption="Payouts"
        columns={payoutColumns(payouts, isSelectable)}
        rows={payouts}
        rowKey={({ id }) => id}
        wide
        records="payouts"
        noMatch="Try another seller or state."
        empty={{
          icon: <Icon name="banknote" />,
          title: 'No payouts',
          children: 'Payouts appear here when a seller requests one.',
        }}
      >
        <Tabs label="Payout views" tabs={payoutTabs('queue')} />
        <div className="my-6 grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
          <TotalTile label="Needs approval" state="requested" totals={totals} />
          <TotalTile label="Ready to pay" state="approved" totals={totals} />
          <TotalTile label="Sent" state="sent" totals={totals} />
          <StatTile
            label="At PayPal"
            value={<Money amountMinor={paypalCents} />}
            hint={`By the books. ${formatDue(totals)}`}
          />
        </div>
      </RecordList>
      <PayoutBulkBar />
    </>
  );
}

const sum = (totals: readonly PayoutTotal[], key: 'cents' | 'count') =>
  totals.reduce((result, total) => result + total[key], 0);

type TotalTileProps = { label: string; state: PayoutState; totals: readonly PayoutTotal[] };

function TotalTile({ label, state, totals }: TotalTileProps) {
  const found = totals.filter((total) => total.state === state);
  const count = sum(found, 'count');
  const parts = found.map(({ methodKind, count: payouts }) => `${payoutMethodNames[methodKind]}: ${payouts}`);
  return (
    <StatTile
      label={label}
      value={<Money amountMinor={sum(found, 'cents')} />}
      hint={count === 0 ? 'No payouts' : parts.join(', ')}
      href={`${pathname}?state=${state}`}
    />
  );
}

function formatDue(totals: readonly PayoutTotal[]): string {
  const due = totals.filter(({ methodKind, state }) => methodKind === 'paypal' && state !== 'sent');
  const count = sum(due, 'count');
  return count === 0
    ? 'No PayPal payouts are due.'
    : `${count} PayPal ${count === 1 ? 'payout is' : 'payouts are'} due.`;
}

type IsSelectable = (payout: AdminPayoutView) => boolean;

/**
 * Checks whether a payout can be selected: requested ones are approved together; approved ones are exported, or sent
 * with PayPal where it is set up.
 */
const isSelectableWith =
  (hasPaypal: boolean): IsSelectable =>
  ({ state, methodKind }) =>
    state === 'requested' ||
    (state === 'approved' && (methodKind === 'bank' || (methodKind === 'paypal' && hasPaypal)));

const payoutColumns = (payouts: readonly AdminPayoutView[], isSelectable: IsSelectable): Column<AdminPayoutView>[] => [
  {
    key: 'select',
    phone: 'select',
    header: (
      <PayoutsCheckbox
        payouts={payouts.filter(isSelectable).map(({ id, state, methodKind }) => ({ id, state, methodKind }))}
      />
    ),
    cell: (payout) => <Select payout={payout} isSelectable={isSelectable(payout)} />,
    className: 'w-8',
  },
  {
    header: 'Seller',
    phone: 'title',
    cell: (payout) => <Seller payout={payout} />,
    className: 'w-full max-w-0 min-w-44',
  },
  { header: 'Method', cell: ({ methodKind, lastFour }) => <PayoutMethodLabel kind={methodKind} lastFour={lastFour} /> },
  { header: 'Amount', phone: 'end', align: 'right', cell: (payout) => <Amount payout={payout} /> },
  { header: 'Check', phone: 'line', cell: (payout) => <Risks payout={payout} />, className: 'min-w-40' },
  { header: 'State', cell: (payout) => <State payout={payout} />, className: 'min-w-36' },
  {
    header: 'Requested',
    phone: 'labeled',
    cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
    className: 'whitespace-nowrap',
  },
  actionsColumn((payout) => <PayoutMenu payout={payout} />, { className: 'w-8' }),
];

type SelectProps = { payout: AdminPayoutView; isSelectable: boolean };

function Select({ payout, isSelectable }: SelectProps) {
  if (!isSelectable) return null;
  const { id, state, methodKind, sellerEmail } = payout;
  return <PayoutCheckbox payout={{ id, state, methodKind }} name={sellerEmail} />;
}

function Seller({ payout: { sellerName, sellerEmail } }: { payout: AdminPayoutView }) {
  return (
    <span className="grid min-w-0">
      <span className="truncate font-medium text-ink">{sellerName || sellerEmail}</span>
      {sellerName ? <span className="truncate text-muted text-xs">{sellerEmail}</span> : null}
    </span>
  );
}

function Amount({ payout: { amountCents, feeCents } }: { payout: AdminPayoutView }) {
  return (
    <span className="grid shrink-0 justify-items-end">
      <Money amountMinor={amountCents - feeCents} className="font-medium text-ink" />
      {feeCents > 0 ? (
        <span className="whitespace-nowrap text-muted text-xs">
          Fee <Money amountMinor={feeCents} />
        </span>
      ) : null}
    </span>
  );
}

function Risks({ payout: { risks, state } }: { payout: AdminPayoutView }) {
  if (state !== 'requested' || risks.length === 0) return null;
  return (
    <span className="flex flex-wrap gap-1">
      {risks.map((risk) => (
        <Badge key={risk} tone="yellow">
          {riskLabels[risk]}
        </Badge>
      ))}
    </span>
  );
}

function State({ payout }: { payout: AdminPayoutView }) {
  const { state, firstApprovedBy, methodUsableAt, reference, reason, providerStatus, isReturnPending } = payout;
  const isResting = state === 'requested' && new Date(methodUsableAt) > new Date();
  return (
    <span className="grid justify-items-start gap-1">
      <PayoutStateBadge state={state} />
      {state === 'requested' && firstApprovedBy ? (
        <span className="wrap-anywhere text-muted text-xs">Approved by {firstApprovedBy}, needs a second person</span>
      ) : null}
      {isResting ? (
        <span className="text-muted text-xs">
          Method usable <TimeAgo at={methodUsableAt} />
        </span>
      ) : null}
      {state === 'sent' && providerStatus ? (
        <span className="text-muted text-xs">At PayPal: {paypalStates[providerStatus] ?? providerStatus}</span>
      ) : null}
      {isReturnPending ? <span className="text-muted text-xs">Return waits for a second person</span> : null}
      {reference || reason ? <span className="wrap-anywhere text-muted text-xs">{reason || reference}</span> : null}
    </span>
  );
}
