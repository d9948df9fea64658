import { Bot, ChevronRight, CircleCheck, History, Inbox, UserRound } from 'lucide-react';
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
import { isEmptyInstallation } from '@/lib/dashboard/setup-checklist';
import { providerNames } from '@/lib/payments/providers/names';
import { FigureTiles, RevenueCard } from './_components/revenue-figures';
import { SetupCard } from './_components/setup-card';

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
      <SetupCard actor={actor} />
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

type Waiting = readonly [label: string, count: CappedCount, href: string, access: Access];

const exact = (total: number): CappedCount => ({ total, isCapped: false });

/** Counts open tasks and links to their lists. Omits lists that the current user cannot open. */
async function AttentionCard({ actor }: { actor: Actor }) {
  const [found, approvals, isEmpty] = await Promise.all([getAttention(), countDecidable(actor), isEmptyInstallation()]);
  const features = '/dashboard/features';
  const orders = `${features}/orders`;
  const links = `${features}/link-checks`;
  const wallets = `${features}/wallet-manager`;
  const payouts = `${features}/payouts`;
  const all: Waiting[] = [
    ['Approvals', exact(approvals), `${features}/approvals`, 'AdminDashboard'],
    ['Sites waiting for review', found.pendingSites, `${features}/guest-posts?status=Pending`, 'ManageSites'],
    ['Niches to review', found.nichesToReview, `${features}/niches-types`, 'ManageSites'],
    ['Orders pending', found.pendingOrders, `${orders}?status=Pending`, 'ManageOrders'],
    ['Orders processing', found.processingOrders, `${orders}?status=Processing`, 'ManageOrders'],
    ['Disputes open for more than a day', found.overdueDisputes, `${features}/disputes?state=open`, 'ManageOrders'],
    ['Late deliveries', found.lateOrders, `${orders}?mark=late`, 'ManageOrders'],
    ['Orders with contact data, last 7 days', found.contactDataOrders, `${orders}?mark=contact`, 'ManageOrders'],
    ['Links not found', found.missingLinks, `${links}?verdict=broken`, 'ManageOrders'],
    ['Links unknown for 14 days', found.unknownLinks, `${links}?verdict=unknown`, 'ManageOrders'],
    ['Top-ups in review', found.topupsInReview, `${wallets}?tab=review`, 'ManageWallets'],
    ['Refunds to approve', found.requestedRefunds, `${wallets}?tab=refunds&state=requested`, 'ManageWallets'],
    ['Payouts to approve', found.requestedPayouts, `${payouts}?state=requested`, 'ManagePayouts'],
    ['Payouts to pay', found.approvedPayouts, `${payouts}?state=approved`, 'ManagePayouts'],
    ...found.failedNotifications.map(
      ({ provider, mode, count }): Waiting => [
        `${providerNames[provider]} notifications failed (${mode})`,
        exact(count),
        `${features}/payments?tab=${provider}&mode=${mode}`,
        'ManagePayments',
      ],
    ),
    ['Exchange rates not taken', exact(found.rates.held.length), `${features}/payments`, 'ManagePayments'],
    ['Stale exchange rates', exact(found.rates.stale.length), `${features}/payments`, 'ManagePayments'],
    ['Emails not sent', found.failedMails, '/dashboard?mails=failed', 'ManageUsers'],
  ];
  const waiting = all.filter(([, count, , access]) => count.total > 0 && mayAccess(actor, access));
  return (
    <Card className="flex h-full flex-col">
      <CardHeader title="Needs attention" />
      {waiting.length === 0 ? (
        <EmptyState
          icon={isEmpty ? <Inbox /> : <CircleCheck />}
          title={isEmpty ? 'No tasks yet' : 'All caught up'}
          className="py-10"
        >
          {isEmpty
            ? 'Tasks appear here once the marketplace has sites and orders.'
            : 'No sites, orders, payments or emails need your attention.'}
        </EmptyState>
      ) : (
        <ul className="min-h-0 divide-y divide-line overflow-y-auto">
          {waiting.map(([label, count, href]) => (
            <li key={label}>
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
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
