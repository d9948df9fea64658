import Link from 'next/link';
import type { ReactNode } from 'react';
import { PayoutStateBadge } from '@/components/payouts/payout-labels';
import { describeRecord, formatNumber, recordSource, reliabilityMeaning } from '@/components/sites/record-words';
import { Reliability, toFact } from '@/components/sites/site-record';
import { withParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardBody, CardHeader, type Fact, FactList } from '@/components/ui/card';
import { formatCount, formatDuration } from '@/components/ui/format';
import { Money } from '@/components/ui/money';
import { TimeAgo } from '@/components/ui/time-ago';
import { siteStatusFilters } from '@/db/schema/sites';
import { formatAcceptance, getSellerFigures, type SellerRow } from '@/lib/dashboard/sellers';
import { getEarningsSummary } from '@/lib/earnings/summary';
import { listSellerPayouts } from '@/lib/payouts/queries';
import { countManagedSites } from '@/lib/sites/managed-queries';
import { getSellerRecord, type SellerRecord } from '@/lib/sites/record/read';

type SellerProps = { sellerId: string };

/** The rows of the figures: what is counted, and its value. */
const figures: readonly [label: string, value: (seller: SellerRow) => ReactNode][] = [
  ['Orders', ({ offers }) => offers.toLocaleString('en-US')],
  ['Acceptance', ({ acceptance }) => formatAcceptance(acceptance)],
  ['Answer time', ({ medianSeconds }) => (medianSeconds === null ? '–' : formatDuration(medianSeconds))],
  ['Late', ({ late }) => late.toLocaleString('en-US')],
  ['Disputed', ({ disputed }) => disputed.toLocaleString('en-US')],
  ['Lost', ({ lost }) => lost.toLocaleString('en-US')],
];

/** Shows how a seller fulfills orders: in the last 90 days, and in all. */
export async function SellerPerformance({ sellerId }: SellerProps) {
  const rights = { seesSites: false, seesMoney: false };
  const [own, recent, all] = await Promise.all([
    getSellerRecord(sellerId),
    getSellerFigures(sellerId, { period: '90', ...rights }),
    getSellerFigures(sellerId, { period: 'all', ...rights }),
  ]);
  if (!recent || !all) return null;
  return (
    <Card aria-labelledby="performance-heading">
      <CardHeader
        title={<span id="performance-heading">Fulfillment</span>}
        description="The record of the last 12 months, and counts of orders placed in two periods. Acceptance: of the offers that were answered or expired."
        actions={
          <ButtonLink size="sm" href="/dashboard/features/sellers">
            All sellers
          </ButtonLink>
        }
      />
      <CardBody>
        <FactList facts={recordFacts(own)} />
        <p className="mt-2 mb-4 text-muted text-xs">{`${recordSource} ${reliabilityMeaning}`}</p>
        <table className="w-full text-sm">
          <caption className="sr-only">Fulfillment by period</caption>
          <thead>
            <tr className="text-muted">
              <td />
              <th scope="col" className="pb-2 text-right font-normal">
                Last 90 days
              </th>
              <th scope="col" className="pb-2 text-right font-normal">
                All time
              </th>
            </tr>
          </thead>
          <tbody>
            {figures.map(([label, value]) => (
              <tr key={label}>
                <th scope="row" className="py-1 text-left font-normal text-muted">
                  {label}
                </th>
                <td className="py-1 text-right text-ink tabular-nums">{value(recent)}</td>
                <td className="py-1 text-right text-ink tabular-nums">{value(all)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </CardBody>
    </Card>
  );
}

/** Returns the record of a seller in words; below five orders, how many there are. */
const recordFacts = ({ record, orders, accepted, reliability }: SellerRecord): Fact[] => [
  ['Reliability', <Reliability key="reliability" value={reliability} />],
  ...(record
    ? describeRecord(record, accepted).map(toFact)
    : [['Orders', `${formatNumber(orders)} in 12 months`] satisfies Fact]),
];

/** Counts a seller's sites by status, each linked to its list. */
export async function SellerSites({ sellerId }: SellerProps) {
  const path = '/dashboard/features/guest-posts';
  const counts = await Promise.all(
    siteStatusFilters.map(async (status) => ({ status, count: await countManagedSites({ userId: sellerId, status }) })),
  );
  return (
    <Card aria-labelledby="sites-heading">
      <CardHeader
        title={<span id="sites-heading">Sites</span>}
        actions={
          <>
            <ButtonLink size="sm" href="/dashboard/features/commission-rules">
              Commission rules
            </ButtonLink>
            <ButtonLink size="sm" href={withParams(path, {}, { userId: sellerId })}>
              All sites
            </ButtonLink>
          </>
        }
      />
      <CardBody>
        <FactList
          facts={counts.map(({ status, count }) => [
            statusLabels[status],
            <Link
              key={status}
              prefetch={false}
              href={withParams(path, {}, { userId: sellerId, status })}
              className="text-accent-ink underline"
            >
              {formatCount(count)}
            </Link>,
          ])}
        />
      </CardBody>
    </Card>
  );
}

const statusLabels = {
  Pending: 'Pending',
  Approved: 'Approved',
  Rejected: 'Rejected',
  'awaiting-price': 'Awaiting price',
  paused: 'Paused',
} as const;

const shownPayouts = 5;

/**
 * Shows where the money of a seller is, and the newest payouts.
 * @param payoutsHref the list of all payouts of the seller; null for a reader who must not open it
 */
export async function SellerMoney({ sellerId, payoutsHref }: SellerProps & { payoutsHref: string | null }) {
  const [earnings, payouts] = await Promise.all([
    getEarningsSummary(sellerId),
    listSellerPayouts(sellerId, { limit: shownPayouts }),
  ]);
  const rows: readonly [label: string, cents: number][] = [
    ['Reserved', earnings.reservedCents],
    ['Ripening', earnings.ripeningCents],
    ['Available', earnings.availableCents],
    ['In transit', earnings.inTransitCents],
    ['Paid out', earnings.paidCents],
  ];
  return (
    <Card aria-labelledby="earnings-heading">
      <CardHeader
        title={<span id="earnings-heading">Earnings and payouts</span>}
        actions={
          payouts.total > 0 && payoutsHref ? (
            <ButtonLink size="sm" href={payoutsHref}>
              All payouts
            </ButtonLink>
          ) : null
        }
      />
      <CardBody>
        <FactList facts={rows.map(([label, cents]) => [label, <Money key={label} amountMinor={cents} />])} />
      </CardBody>
      {payouts.rows.length > 0 ? (
        <ul className="divide-y divide-line border-line border-t">
          {payouts.rows.map(({ id, amountCents, state, createdAt }) => (
            <li key={id} className="flex items-center gap-3 px-4 py-3 text-sm sm:px-5">
              <TimeAgo at={createdAt} className="flex-1 text-muted" />
              <Money amountMinor={amountCents} className="text-ink" />
              <PayoutStateBadge state={state} />
            </li>
          ))}
        </ul>
      ) : null}
    </Card>
  );
}
