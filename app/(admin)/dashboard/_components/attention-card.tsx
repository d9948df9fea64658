import { ChevronRight, CircleCheck } from 'lucide-react';
import Link from 'next/link';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import type { Actor } from '@/lib/access/actor';
import { type Access, mayAccess } from '@/lib/access/authorize';
import { countDecidable } from '@/lib/approvals/queries';
import { getAttention } from '@/lib/dashboard/attention';
import { providerNames } from '@/lib/payments/providers/names';

type Waiting = { label: string; count: number; href: string; access: Access };

/** What waits for this person: each figure leads to its list, and who may not open that does not see it. */
export async function AttentionCard({ actor }: { actor: Actor }) {
  const [found, approvals] = await Promise.all([getAttention(), countDecidable(actor)]);
  const features = '/dashboard/features';
  const all: Waiting[] = [
    { label: 'Approvals', count: approvals, href: `${features}/approvals`, access: 'AdminDashboard' },
    {
      label: 'Sites waiting for review',
      count: found.pendingSites,
      href: `${features}/guest-posts?status=Pending`,
      access: 'ManageSites',
    },
    {
      label: 'Orders pending',
      count: found.pendingOrders,
      href: `${features}/orders?status=Pending`,
      access: 'ManageOrders',
    },
    {
      label: 'Orders in processing',
      count: found.processingOrders,
      href: `${features}/orders?status=Processing`,
      access: 'ManageOrders',
    },
    {
      label: 'Top-ups in review',
      count: found.topupsInReview,
      href: `${features}/wallet-manager?tab=review`,
      access: 'ManageWallets',
    },
    ...found.failedNotifications.map(
      ({ provider, mode, count }): Waiting => ({
        label: `${providerNames[provider]} notifications failed (${mode})`,
        count,
        href: `${features}/payments?tab=${provider}&mode=${mode}`,
        access: 'ManagePayments',
      }),
    ),
    { label: 'Mails not sent', count: found.failedMails, href: '/dashboard?mails=failed', access: 'ManageUsers' },
  ];
  const waiting = all.filter(({ count, access }) => count > 0 && mayAccess(actor, access));
  return (
    <Card className="h-full">
      <CardHeader title="Needs attention" />
      {waiting.length === 0 ? (
        <EmptyState icon={<CircleCheck />} title="Nothing waits" className="py-10">
          No site, order, payment or mail needs you now.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line">
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
      <span className="ml-auto font-medium text-ink tabular-nums">{count.toLocaleString('en-US')}</span>
      <ChevronRight className="size-4 text-subtle" />
    </Link>
  );
}
