import Link from 'next/link';
import { Timeline } from '@/components/dashboard/timeline';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { formatCount } from '@/components/ui/format';
import { Icon, type IconName } from '@/components/ui/icon';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { StatTile, tileGrid } from '@/components/ui/stat-tile';
import { onReplica } from '@/db/replicas';
import type { SiteStatus } from '@/db/schema/sites';
import { requirePage } from '@/lib/auth/page-guard';
import { getSellerActivity, getSellerFrame, getSellerWork, type SellerEvent } from '@/lib/dashboard/seller';
import { getOfferFigures, getSellerSteps } from '@/lib/dashboard/seller-figures';
import { getEarnings, getMoneyMonths } from '@/lib/earnings/statement';
import { getSiteViews } from '@/lib/sites/count-view';
import { getSellerRecord } from '@/lib/sites/record/read';
import { countSellerGaps, getSellerStats, type SellerGapCounts, type SellerStats } from '@/lib/sites/seller-queries';
import { type SellerGap, sellerGaps, staleAfterDays } from '@/lib/sites/seller-view';
import { SellerSteps } from './_components/seller-steps';
import { FigureTiles, NextDue, OrderTiles } from './_components/tiles';
import { MonthsCard } from './(screens)/earnings/_components/months-card';

const advice: Record<SellerGap, { title: string; why: string }> = {
  niche: { title: 'Complete niche and language', why: 'Buyers filter by both, and “General” is too broad.' },
  spam: { title: 'Keep the spam score updated', why: `Missing or not updated for ${staleAfterDays.spam} days.` },
  metrics: { title: 'Give DR/DA, traffic and TAT', why: 'Buyers compare sites by these metrics.' },
  stale: {
    title: 'Remove dead sites and update prices',
    why: `No price, or not updated for ${staleAfterDays.site} days.`,
  },
  ownership: { title: 'Prove that you own your sites', why: 'Buyers see “Verified owner”, and can filter by it.' },
};

const statusEvents: Record<SiteStatus, { icon: IconName; text: string }> = {
  Approved: { icon: 'circle-check', text: 'was approved' },
  Pending: { icon: 'clock', text: 'went back to review' },
  Rejected: { icon: 'circle-x', text: 'was rejected' },
};

const added = { icon: 'plus', text: 'was added' } as const;

export const metadata = { title: 'Dashboard' };

export default async function SellerDashboard() {
  const actor = await requirePage('seller', 'seller');
  const { userId, name, email } = actor;
  const { hasPayouts } = await getSellerFrame(actor);
  // Nothing is streamed: a section that appears later would move those below it.
  const [work, offers, own, views, steps, months, sites, gaps, events] = await Promise.all([
    onReplica(actor, (on) => getSellerWork(userId, undefined, on)),
    onReplica(actor, (on) => getOfferFigures(userId, on)),
    getSellerRecord(userId),
    getSiteViews(userId),
    getSellerSteps(actor),
    hasPayouts ? getMoneyMonths(userId) : getEarnings(userId).then((earnings) => earnings.months),
    getSellerStats(userId),
    countSellerGaps(userId),
    onReplica(actor, (on) => getSellerActivity(userId, undefined, on)),
  ]);
  const moneyMonths = months.filter((month) => 'paidOutCents' in month);
  return (
    <>
      <PageHeader
        title={`Hello, ${name || email.split('@')[0]}`}
        description="Site status and ways to sell more."
        actions={
          <>
            <ButtonLink href="/seller/my-sites?new=upload">Bulk Upload</ButtonLink>
            <ButtonLink href="/seller/my-sites?new=site" variant="primary">
              Add Sites
            </ButtonLink>
          </>
        }
      />
      <div className={`${tileGrid} mb-4`}>
        <SiteTiles {...sites} />
      </div>
      <SellerSteps steps={steps} hasPayouts={hasPayouts} />
      <div className={tileGrid}>
        <OrderTiles work={work} months={actor.viewing ? null : months} />
      </div>
      <div className="my-4">
        <NextDue orders={work.next} />
      </div>
      <FigureTiles offers={offers} own={own} views={views} />
      {moneyMonths.length > 0 && !actor.viewing ? (
        <div className="mt-4">
          <MonthsCard months={moneyMonths} />
        </div>
      ) : null}
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-2">
        <Recommendations counts={gaps} />
        <Activity events={events} />
      </div>
    </>
  );
}

/** Renders the seller's figures. Each status tile links to the filtered list. */
function SiteTiles({ approved, pending, rejected, paused, averagePriceCents, isCapped }: SellerStats) {
  const format = (count: number) => formatCount({ total: count, isCapped });
  return (
    <>
      <StatTile
        label="Active Sites"
        value={format(approved)}
        hint={paused > 0 ? `approved, ${format(paused)} paused` : 'approved'}
        icon="circle-check"
        href="/seller/my-sites?status=Approved"
      />
      <StatTile
        label="Pending Review"
        value={format(pending)}
        hint="waiting for review"
        icon="clock"
        href="/seller/my-sites?status=Pending"
      />
      <StatTile
        label="Rejected"
        value={format(rejected)}
        hint="not accepted"
        icon="circle-x"
        href="/seller/my-sites?status=Rejected"
      />
      <StatTile
        label="Average Price"
        value={averagePriceCents === null ? '–' : <Money amountMinor={averagePriceCents} />}
        hint={isCapped ? 'based on your newest approved sites' : 'based on approved sites'}
        icon="tag"
      />
    </>
  );
}

/** Lists recent events of the seller's own sites. */
function Activity({ events }: { events: readonly SellerEvent[] }) {
  return (
    <Card>
      <CardHeader title="Recent Activity" />
      {events.length > 0 ? (
        <Timeline items={events.map(itemOf)} />
      ) : (
        <EmptyState icon={<Icon name="rotate-ccw-clock" />} title="No activity yet">
          Sites that are added, approved or rejected appear here.
        </EmptyState>
      )}
    </Card>
  );
}

function itemOf({ id, at, siteName, status }: SellerEvent) {
  const { icon, text } = status ? statusEvents[status] : added;
  return {
    id,
    at,
    icon: <Icon name={icon} />,
    title: (
      <>
        <span className="font-medium">{siteName}</span> {text}
      </>
    ),
  };
}

/** Shows how many of the seller's sites lack recommended data. */
function Recommendations({ counts }: { counts: SellerGapCounts | null }) {
  return (
    <Card>
      <CardHeader title="Recommendations" />
      {counts ? <Advice {...counts} /> : <NoSites />}
    </Card>
  );
}

function NoSites() {
  return (
    <EmptyState icon={<Icon name="lightbulb" />} title="No recommendations yet">
      Add sites to get recommendations that help you sell more.
    </EmptyState>
  );
}

function Advice({ gaps, isCapped }: SellerGapCounts) {
  return (
    <ul className="divide-y divide-line">
      {sellerGaps.map((gap) => (
        <li key={gap} className="flex items-start gap-3 px-4 py-3 sm:px-5">
          {gaps[gap] > 0 ? (
            <Icon name="circle-alert" className="mt-0.5 text-yellow-ink" />
          ) : (
            <Icon name="circle-check" className="mt-0.5 text-green-ink" />
          )}
          <div className="min-w-0 flex-1">
            <p className="text-ink">{advice[gap].title}</p>
            <p className="mt-0.5 text-subtle text-xs">{advice[gap].why}</p>
          </div>
          <Sites gap={gap} count={gaps[gap]} isCapped={isCapped} />
        </li>
      ))}
    </ul>
  );
}

function Sites({ gap, count, isCapped }: { gap: SellerGap; count: number; isCapped: boolean }) {
  if (count === 0) return <span className="shrink-0 text-muted text-sm">Done</span>;
  return (
    <Link
      prefetch={false}
      href={`/seller/my-sites?gap=${gap}`}
      className="shrink-0 rounded-sm py-0.5 text-accent-ink text-sm underline"
    >
      {formatCount({ total: count, isCapped })} {count === 1 ? 'site' : 'sites'}
    </Link>
  );
}
