import { ChevronRight, CircleCheck } from 'lucide-react';
import Link from 'next/link';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { getAttention } from '@/lib/dashboard/attention';

type Waiting = { label: string; count: number; href: string | null };

/** What waits for the staff; a figure without a screen of its own is a figure only. */
export async function AttentionCard({ mayOpenOrders }: { mayOpenOrders: boolean }) {
  const { pendingOrders, processingOrders, topupsInReview, pendingSites } = await getAttention();
  const desk = (status: string) => (mayOpenOrders ? `/dashboard/features/orders?status=${status}` : null);
  const waiting: Waiting[] = [
    { label: 'Orders pending', count: pendingOrders, href: desk('Pending') },
    { label: 'Orders in processing', count: processingOrders, href: desk('Processing') },
    { label: 'Top-ups in review', count: topupsInReview, href: null },
    { label: 'Sites waiting for review', count: pendingSites, href: null },
  ].filter(({ count }) => count > 0);
  return (
    <Card className="h-full">
      <CardHeader title="Needs attention" />
      {waiting.length === 0 ? (
        <EmptyState icon={<CircleCheck />} title="Nothing waits" className="py-10">
          No order, top-up or site needs anybody now.
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
  const look = 'flex h-11 items-center gap-3 px-4 sm:px-5';
  const figure = <span className="ml-auto font-medium text-ink tabular-nums">{count.toLocaleString('en-US')}</span>;
  if (!href) {
    return (
      <p className={look}>
        <span className="text-muted">{label}</span>
        {figure}
        <span aria-hidden="true" className="w-4" />
      </p>
    );
  }
  return (
    <Link
      href={href}
      prefetch={false}
      className={`${look} transition-colors hover:bg-sunken focus-visible:-outline-offset-2`}
    >
      <span className="text-ink">{label}</span>
      {figure}
      <ChevronRight aria-hidden="true" className="size-4 text-subtle" />
    </Link>
  );
}
