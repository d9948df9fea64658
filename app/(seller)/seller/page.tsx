import { CircleAlert, CircleCheck, CircleX, Clock, History, Lightbulb, type LucideIcon, Plus, Tag } from 'lucide-react';
import Link from 'next/link';
import { Suspense } from 'react';
import { Timeline } from '@/components/dashboard/timeline';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { formatCount } from '@/components/ui/format';
import { Money } from '@/components/ui/money';
import { PageHeader } from '@/components/ui/page-header';
import { CardSkeleton, TileSkeletons } from '@/components/ui/skeleton';
import { StatTile, tileGrid } from '@/components/ui/stat-tile';
import { onReplica } from '@/db/replicas';
import type { SiteStatus } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { requirePage } from '@/lib/auth/page-guard';
import { getSellerActivity, getSellerFrame, getSellerWork, type SellerEvent } from '@/lib/dashboard/seller';
import { getOfferFigures, getSellerSteps } from '@/lib/dashboard/seller-figures';
import { getMoneyMonths } from '@/lib/earnings/statement';
import { getSiteViews } from '@/lib/sites/count-view';
import { getSellerRecord } from '@/lib/sites/record/read';
import { countSellerGaps, getSellerStats, type SellerGapCounts } from '@/lib/sites/seller-queries';
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

const statusEvents: Record<SiteStatus, { icon: LucideIcon; text: string }> = {
  Approved: { icon: CircleCheck, text: 'was approved' },
  Pending: { icon: Clock, text: 'went back to review' },
  Rejected: { icon: CircleX, text: 'was rejected' },
};

const added = { icon: Plus, text: 'was added' };

export const metadata = { title: 'Dashboard' };

export default async function SellerDashboard() {
  const actor = await requirePage('seller', 'seller');
  const { userId, name, email } = actor;
  const { hasPayouts } = await getSellerFrame(actor);
  // Not streamed: what sellers have of these differs, and would move what is below it.
  const [work, offers, own, views, steps, months] = await Promise.all([
    onReplica(actor, (on) => getSellerWork(userId, undefined, on)),
    onReplica(actor, (on) => getOfferFigures(userId, on)),
    getSellerRecord(userId),
    getSiteViews(userId),
    getSellerSteps(actor),
    hasPayouts && !actor.viewing ? getMoneyMonths(userId) : [],
  ]);
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
        <Suspense fallback={<TileSkeletons count={4} />}>
          <SiteTiles ownerId={userId} />
        </Suspense>
      </div>
      <SellerSteps steps={steps} hasPayouts={hasPayouts} />
      <div className={tileGrid}>
        <Suspense fallback={<TileSkeletons count={4} />}>
          <OrderTiles sellerId={userId} work={work} hidesMoney={actor.viewing !== undefined} />
        </Suspense>
      </div>
      <div className="my-4">
        <NextDue orders={work.next} />
      </div>
      <FigureTiles offers={offers} own={own} views={views} />
      {months.length > 0 ? (
        <div className="mt-4">
          <MonthsCard months={months} />
        </div>
      ) : null}
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-2">
        <Suspense fallback={<CardSkeleton label="Loading recommendations" />}>
          <Recommendations ownerId={userId} />
        </Suspense>
        <Suspense fallback={<CardSkeleton label="Loading recent activity" />}>
          <Activity actor={actor} />
        </Suspense>
      </div>
    </>
  );
}

/** Renders the seller's figures. Each status tile links to the filtered list. */
async function SiteTiles({ ownerId }: { ownerId: string }) {
  const { approved, pending, rejected, paused, averagePriceCents, isCapped } = await getSellerStats(ownerId);
  const format = (count: number) => formatCount({ total: count, isCapped });
  return (
    <>
      <StatTile
        label="Active Sites"
        value={format(approved)}
        hint={paused > 0 ? `approved, ${format(paused)} paused` : 'approved'}
        icon={CircleCheck}
        href="/seller/my-sites?status=Approved"
      />
      <StatTile
        label="Pending Review"
        value={format(pending)}
        hint="waiting for review"
        icon={Clock}
        href="/seller/my-sites?status=Pending"
      />
      <StatTile
        label="Rejected"
        value={format(rejected)}
        hint="not accepted"
        icon={CircleX}
        href="/seller/my-sites?status=Rejected"
      />
      <StatTile
        label="Average Price"
        value={averagePriceCents === null ? '–' : <Money amountMinor={averagePriceCents} />}
        hint={isCapped ? 'based on your newest approved sites' : 'based on approved sites'}
        icon={Tag}
      />
    </>
  );
}

/** Lists recent events of the seller's own sites. */
async function Activity({ actor }: { actor: Actor }) {
  const events = await onReplica(actor, (on) => getSellerActivity(actor.userId, undefined, on));
  return (
    <Card>
      <CardHeader title="Recent Activity" />
      {events.length > 0 ? (
        <Timeline items={events.map(itemOf)} />
      ) : (
        <EmptyState icon={<History />} title="No activity yet">
          Sites that are added, approved or rejected appear here.
        </EmptyState>
      )}
    </Card>
  );
}

function itemOf({ id, at, siteName, status }: SellerEvent) {
  const { icon: Icon, text } = status ? statusEvents[status] : added;
  return {
    id,
    at,
    icon: <Icon />,
    title: (
      <>
        <span className="font-medium">{siteName}</span> {text}
      </>
    ),
  };
}

/** Counts the seller's sites that lack recommended data. */
async function Recommendations({ ownerId }: { ownerId: string }) {
  const counts = await countSellerGaps(ownerId);
  return (
    <Card>
      <CardHeader title="Recommendations" />
      {counts ? <Advice {...counts} /> : <NoSites />}
    </Card>
  );
}

function NoSites() {
  return (
    <EmptyState icon={<Lightbulb />} title="No recommendations yet">
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
            <CircleAlert className="mt-0.5 size-4 text-yellow-ink" />
          ) : (
            <CircleCheck className="mt-0.5 size-4 text-green-ink" />
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
