import { Bot, ChevronRight, CircleCheck, History, UserRound } from 'lucide-react';
import Link from 'next/link';
import { Suspense } from 'react';
import { Timeline } from '@/components/dashboard/timeline';
import { RecordDialog } from '@/components/table/record-dialog';
import { oneParam, type SearchParams } from '@/components/table/url';
import { Card, CardHeader } from '@/components/ui/card';
import { DialogBody } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { formatCount } from '@/components/ui/format';
import { PageHeader } from '@/components/ui/page-header';
import { CardSkeleton, TileSkeletons } from '@/components/ui/skeleton';
import { sixTileGrid, tileGrid } from '@/components/ui/stat-tile';
import { TimeAgo } from '@/components/ui/time-ago';
import type { CappedCount } from '@/db/count-up-to';
import type { Actor } from '@/lib/access/actor';
import { type Access, hasPermission, mayAccess } from '@/lib/access/authorize';
import { countDecidable } from '@/lib/approvals/queries';
import { requirePage } from '@/lib/auth/page-guard';
import { getLatestActivity, getRevenue, haveSellersEarned } from '@/lib/dashboard/admin';
import { failedMailDays, getAttention, listFailedMails } from '@/lib/dashboard/attention';
import { providerNames } from '@/lib/payments/providers/names';
import { FigureTiles, RevenueCard } from './_components/revenue-figures';

export const metadata = { title: 'Dashboard' };

export default async function AdminDashboard({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'AdminDashboard');
  const showsMails = oneParam(await searchParams, 'mails') === 'failed' && hasPermission(actor, 'ManageUsers');
  const mayReadLog = hasPermission(actor, 'ViewAuditLogs');
  const showsSellers = await haveSellersEarned();
  // Two components share one query.
  const revenue = getRevenue();
  return (
    <>
      <PageHeader
        title={`Welcome, ${actor.name || actor.email}`}
        description="Marketplace performance and open tasks."
      />
      <div className={showsSellers ? sixTileGrid : tileGrid}>
        <Suspense fallback={<TileSkeletons count={showsSellers ? 6 : 4} />}>
          <FigureTiles revenue={revenue} showsSellers={showsSellers} />
        </Suspense>
      </div>
      <div className="mt-4 grid gap-4 has-[details[open]]:items-start lg:grid-cols-3">
        {/* Reserves the height of the revenue card, to avoid a layout shift when it loads. */}
        <div className="min-h-[379px] sm:min-h-[367px] lg:col-span-2">
          <Suspense fallback={<CardSkeleton label="Loading revenue" lines={8} className="h-full" />}>
            <RevenueCard revenue={revenue} showsSellers={showsSellers} />
          </Suspense>
        </div>
        {/* Many tasks scroll within the height of the revenue card, so that they move nothing when they load. */}
        <div className="relative lg:min-h-[367px]">
          <div className="lg:absolute lg:inset-0">
            <Suspense fallback={<CardSkeleton label="Loading open tasks" lines={4} className="h-full" />}>
              <AttentionCard actor={actor} />
            </Suspense>
          </div>
        </div>
      </div>
      {mayReadLog ? (
        <div className="mt-4">
          <Suspense fallback={<CardSkeleton label="Loading latest activity" lines={8} />}>
            <LatestActivity />
          </Suspense>
        </div>
      ) : null}
      {showsMails ? <FailedMails /> : null}
    </>
  );
}

/** Lists recent emails that could not be sent, with recipient, subject and error. */
async function FailedMails() {
  const failed = await listFailedMails();
  return (
    <RecordDialog
      key="mails"
      title="Emails not sent"
      description={`Failed in the last ${failedMailDays} days and won’t be retried.`}
      closeHref="/dashboard"
    >
      <DialogBody>
        {failed.length === 0 ? (
          <p className="text-muted">All emails were sent.</p>
        ) : (
          <ul className="divide-y divide-line">
            {failed.map(({ id, recipient, subject, error, failedAt, attempts }) => (
              <li key={id} className="grid gap-0.5 py-3 text-sm first:pt-0 last:pb-0">
                <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                  <span className="wrap-anywhere font-medium text-ink">{subject}</span>
                  {failedAt ? <TimeAgo at={failedAt} className="text-muted text-xs" /> : null}
                </span>
                <span className="wrap-anywhere text-muted">
                  To {recipient}, {attempts === 1 ? 'one attempt' : `${attempts} attempts`}
                </span>
                {error ? <span className="wrap-anywhere text-red-ink">{error}</span> : null}
              </li>
            ))}
          </ul>
        )}
      </DialogBody>
    </RecordDialog>
  );
}

/** Lists the newest audit entries. */
async function LatestActivity() {
  const entries = await getLatestActivity();
  return (
    <Card>
      <CardHeader
        title="Latest activity"
        actions={
          <Link
            prefetch={false}
            href="/dashboard/features/audit-logs"
            className="rounded-sm text-accent-ink text-sm hover:underline"
          >
            Audit Logs
          </Link>
        }
      />
      {entries.length === 0 ? (
        <EmptyState icon={<History />} title="No activity yet">
          All changes are recorded here.
        </EmptyState>
      ) : (
        <Timeline
          items={entries.map(({ id, details, user, role, at }) => ({
            id,
            at,
            icon: role === 'System' ? <Bot /> : <UserRound />,
            title: details,
            detail: `${user} (${role})`,
          }))}
        />
      )}
    </Card>
  );
}

type Waiting = { label: string; count: CappedCount; href: string; access: Access };

const exact = (total: number): CappedCount => ({ total, isCapped: false });

/** Counts open tasks and links to their lists. Omits lists that the current user cannot open. */
async function AttentionCard({ actor }: { actor: Actor }) {
  const [found, approvals] = await Promise.all([getAttention(), countDecidable(actor)]);
  const features = '/dashboard/features';
  const all: Waiting[] = [
    { label: 'Approvals', count: exact(approvals), href: `${features}/approvals`, access: 'AdminDashboard' },
    {
      label: 'Sites waiting for review',
      count: found.pendingSites,
      href: `${features}/guest-posts?status=Pending`,
      access: 'ManageSites',
    },
    {
      label: 'Niches to review',
      count: found.nichesToReview,
      href: `${features}/niches-types`,
      access: 'ManageSites',
    },
    {
      label: 'Orders pending',
      count: found.pendingOrders,
      href: `${features}/orders?status=Pending`,
      access: 'ManageOrders',
    },
    {
      label: 'Orders processing',
      count: found.processingOrders,
      href: `${features}/orders?status=Processing`,
      access: 'ManageOrders',
    },
    {
      label: 'Disputes open for more than a day',
      count: found.overdueDisputes,
      href: `${features}/disputes?state=open`,
      access: 'ManageOrders',
    },
    { label: 'Late deliveries', count: found.lateOrders, href: `${features}/orders?mark=late`, access: 'ManageOrders' },
    {
      label: 'Orders with contact data, last 7 days',
      count: found.contactDataOrders,
      href: `${features}/orders?mark=contact`,
      access: 'ManageOrders',
    },
    {
      label: 'Links not found',
      count: found.missingLinks,
      href: `${features}/link-checks?verdict=broken`,
      access: 'ManageOrders',
    },
    {
      label: 'Links unknown for 14 days',
      count: found.unknownLinks,
      href: `${features}/link-checks?verdict=unknown`,
      access: 'ManageOrders',
    },
    {
      label: 'Top-ups in review',
      count: found.topupsInReview,
      href: `${features}/wallet-manager?tab=review`,
      access: 'ManageWallets',
    },
    {
      label: 'Refunds to approve',
      count: found.requestedRefunds,
      href: `${features}/wallet-manager?tab=refunds&state=requested`,
      access: 'ManageWallets',
    },
    {
      label: 'Payouts to approve',
      count: found.requestedPayouts,
      href: `${features}/payouts?state=requested`,
      access: 'ManagePayouts',
    },
    {
      label: 'Payouts to pay',
      count: found.approvedPayouts,
      href: `${features}/payouts?state=approved`,
      access: 'ManagePayouts',
    },
    ...found.failedNotifications.map(
      ({ provider, mode, count }): Waiting => ({
        label: `${providerNames[provider]} notifications failed (${mode})`,
        count: exact(count),
        href: `${features}/payments?tab=${provider}&mode=${mode}`,
        access: 'ManagePayments',
      }),
    ),
    { label: 'Emails not sent', count: found.failedMails, href: '/dashboard?mails=failed', access: 'ManageUsers' },
  ];
  const waiting = all.filter(({ count, access }) => count.total > 0 && mayAccess(actor, access));
  return (
    <Card className="flex h-full flex-col">
      <CardHeader title="Needs attention" />
      {waiting.length === 0 ? (
        <EmptyState icon={<CircleCheck />} title="All caught up" className="py-10">
          No sites, orders, payments or emails need your attention.
        </EmptyState>
      ) : (
        <ul className="min-h-0 divide-y divide-line overflow-y-auto">
          {waiting.map((item) => (
            <li key={item.label}>
              <Row {...item} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Row({ label, count, href }: Waiting) {
  return (
    <Link
      prefetch={false}
      href={href}
      scroll={false}
      className="flex min-h-11 items-center gap-3 px-4 py-2 transition-colors hover:bg-sunken focus-visible:-outline-offset-2 sm:px-5"
    >
      <span className="text-ink">{label}</span>
      <span className="ml-auto font-medium text-ink tabular-nums">{formatCount(count)}</span>
      <ChevronRight className="size-4 text-subtle" />
    </Link>
  );
}
