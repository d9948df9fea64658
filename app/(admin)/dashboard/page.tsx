import { Suspense } from 'react';
import { CardSkeleton, TileSkeletons } from '@/components/dashboard/card-skeleton';
import { tileGrid } from '@/components/dashboard/tile-grid';
import { oneParam, type SearchParams } from '@/components/table/url';
import { PageHeader } from '@/components/ui/page-header';
import { hasPermission } from '@/lib/access/authorize';
import { requirePage } from '@/lib/auth/page-guard';
import { getRevenue } from '@/lib/dashboard/admin';
import { AttentionCard } from './_components/attention-card';
import { FailedMails } from './_components/failed-mails';
import { FigureTiles } from './_components/figure-tiles';
import { LatestActivity } from './_components/latest-activity';
import { RevenueCard } from './_components/revenue-card';

export const metadata = { title: 'Dashboard' };

export default async function AdminDashboard({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'AdminDashboard');
  const showsMails = oneParam(await searchParams, 'mails') === 'failed' && hasPermission(actor, 'ManageUsers');
  const mayReadLog = hasPermission(actor, 'ViewAuditLogs');
  // Two parts show it; it is asked for once.
  const revenue = getRevenue();
  return (
    <>
      <PageHeader
        title={`Welcome, ${actor.name || actor.email}`}
        description="How the marketplace does, and what waits for you."
      />
      <div className={tileGrid}>
        <Suspense fallback={<TileSkeletons count={4} />}>
          <FigureTiles revenue={revenue} />
        </Suspense>
      </div>
      {/* As high as the revenue is: what comes below does not move when it arrives. */}
      <div className="mt-4 grid gap-4 has-[details[open]]:items-start lg:min-h-[367px] lg:grid-cols-3">
        <div className="lg:col-span-2">
          <Suspense fallback={<CardSkeleton label="Loading revenue" lines={8} className="h-full" />}>
            <RevenueCard revenue={revenue} />
          </Suspense>
        </div>
        <Suspense fallback={<CardSkeleton label="Loading what needs attention" lines={4} />}>
          <AttentionCard actor={actor} />
        </Suspense>
      </div>
      {mayReadLog ? (
        <div className="mt-4">
          <Suspense fallback={<CardSkeleton label="Loading the latest activity" lines={8} />}>
            <LatestActivity />
          </Suspense>
        </div>
      ) : null}
      {showsMails ? <FailedMails /> : null}
    </>
  );
}
