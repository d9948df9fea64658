import Link from 'next/link';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { formatCount } from '@/components/ui/format';
import { Icon } from '@/components/ui/icon';
import type { CappedCount } from '@/db/count-up-to';
import type { Actor } from '@/lib/access/actor';
import { type Access, mayAccess } from '@/lib/access/authorize';
import { countDecidable } from '@/lib/approvals/queries';
import { getAttention } from '@/lib/dashboard/attention';
import { providerNames } from '@/lib/payments/providers/names';

type Task = { label: string; count: CappedCount; href: string };

const exact = (total: number): CappedCount => ({ total, isCapped: false });

/** Counts open tasks with the URLs of their lists, those of money first. Omits lists that the actor cannot open. */
export async function listTasks(actor: Actor): Promise<Task[]> {
  const [found, approvals] = await Promise.all([getAttention(), countDecidable(actor)]);
  const features = '/dashboard/features';
  const orders = `${features}/orders`;
  const links = `${features}/link-checks`;
  const wallets = `${features}/wallet-manager`;
  const payouts = `${features}/payouts`;
  const all: (readonly [label: string, count: CappedCount, href: string, access: Access])[] = [
    ['Payment disputes to answer', exact(found.paymentDisputes), `${features}/payments/disputes`, 'ManagePayments'],
    ['Top-ups in review', found.topupsInReview, `${wallets}?tab=review`, 'ManageWallets'],
    ['Won disputes without returned money', exact(found.withheld), `${wallets}?tab=review`, 'ManageWallets'],
    ['Buyers who owe money', exact(found.owing), `${wallets}?tab=review`, 'ManageWallets'],
    ['Refunds to approve', found.requestedRefunds, `${wallets}?tab=refunds&state=requested`, 'ManageWallets'],
    ['Payouts to approve', found.requestedPayouts, `${payouts}?state=requested`, 'ManagePayouts'],
    ['Payouts to pay', found.approvedPayouts, `${payouts}?state=approved`, 'ManagePayouts'],
    notificationTask(found.failedNotifications),
    ['Exchange rates not taken', exact(found.rates.held.length), `${features}/payments`, 'ManagePayments'],
    ['Stale exchange rates', exact(found.rates.stale.length), `${features}/payments`, 'ManagePayments'],
    ['Approvals', exact(approvals), `${features}/approvals`, 'AdminDashboard'],
    ['Orders pending', found.pendingOrders, `${orders}?status=Pending`, 'ManageOrders'],
    ['Orders processing', found.processingOrders, `${orders}?status=Processing`, 'ManageOrders'],
    ['Disputes open for more than a day', found.overdueDisputes, `${features}/disputes?state=open`, 'ManageOrders'],
    ['Late deliveries', found.lateOrders, `${orders}?mark=late`, 'ManageOrders'],
    ['Orders with contact data, last 7 days', found.contactDataOrders, `${orders}?mark=contact`, 'ManageOrders'],
    ['Links not found', found.missingLinks, `${links}?verdict=broken`, 'ManageOrders'],
    ['Links unknown for 14 days', found.unknownLinks, `${links}?verdict=unknown`, 'ManageOrders'],
    [
      'E-invoices not delivered, last 7 days',
      found.undeliveredInvoices,
      `${features}/e-invoices?state=undelivered`,
      'ManageOrders',
    ],
    ['Sites waiting for review', found.pendingSites, `${features}/guest-posts?status=Pending`, 'ManageSites'],
    ['Niches to review', found.nichesToReview, `${features}/niches-types`, 'ManageSites'],
    ['Scheduled backup failed or overdue', exact(found.backupProblem ? 1 : 0), `${features}/backup`, 'ManageBackups'],
    [
      'Replace the refused Ahrefs key',
      exact(found.isAhrefsKeyRefused ? 1 : 0),
      `${features}/api-manager`,
      'ManageSettings',
    ],
    ['Emails not sent', found.failedMails, '/dashboard?mails=failed', 'ManageUsers'],
  ];
  return all
    .filter(([, count, , access]) => count.total > 0 && mayAccess(actor, access))
    .map(([label, count, href]) => ({ label, count, href }));
}

/** Sums up the failed notifications of all providers. Links to the first provider that has any. */
function notificationTask(failed: Awaited<ReturnType<typeof getAttention>>['failedNotifications']) {
  const [first, ...others] = failed;
  const label = !first || others.length > 0 ? 'Payment' : providerNames[first.provider];
  const query = first ? `?tab=${first.provider}&mode=${first.mode}` : '';
  return [
    `${label} notifications failed`,
    exact(failed.reduce((sum, { count }) => sum + count, 0)),
    `/dashboard/features/payments${query}`,
    'ManagePayments',
  ] as const;
}

/**
 * Renders the open tasks. The card has no scroll box: every task is visible.
 * @param props.isEmpty whether the installation cannot have tasks yet
 */
export function AttentionCard({ tasks, isEmpty }: { tasks: readonly Task[]; isEmpty: boolean }) {
  return (
    <Card className="mb-4 overflow-hidden">
      <CardHeader title="Needs attention" />
      {tasks.length === 0 ? (
        <EmptyState
          icon={isEmpty ? <Icon name="inbox" /> : <Icon name="circle-check" />}
          title={isEmpty ? 'No tasks yet' : 'All caught up'}
          className="py-6"
        >
          {isEmpty
            ? 'Tasks appear here once the marketplace has sites and orders.'
            : 'No sites, orders, payments or emails need your attention.'}
        </EmptyState>
      ) : (
        <ul className="-mb-px grid gap-x-6 sm:grid-cols-2 xl:grid-cols-3">
          {tasks.map(({ label, count, href }) => (
            <li key={label} className="border-line border-b">
              <Link
                prefetch={false}
                href={href}
                scroll={false}
                className="flex min-h-11 items-center gap-3 px-4 py-2 transition-colors hover:bg-sunken focus-visible:-outline-offset-2 sm:px-5"
              >
                <span className="text-ink">{label}</span>
                <span className="ml-auto font-medium text-ink tabular-nums">{formatCount(count)}</span>
                <Icon name="chevron-right" className="text-subtle" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
