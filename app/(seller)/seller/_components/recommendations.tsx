import { CircleAlert, CircleCheck, Lightbulb } from 'lucide-react';
import Link from 'next/link';
import { Card, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { countSellerGaps } from '@/lib/sites/seller-queries';
import { type SellerGap, sellerGaps, staleAfterDays } from '@/lib/sites/seller-view';

const advice: Record<SellerGap, { title: string; why: string }> = {
  niche: { title: 'Complete niche and language', why: 'Buyers filter by both; “General” tells them nothing.' },
  spam: {
    title: 'Keep the spam score updated',
    why: `Missing, or untouched for ${staleAfterDays.spam} days.`,
  },
  metrics: { title: 'Give DR/DA, traffic and TAT', why: 'Buyers compare sites by these figures.' },
  stale: {
    title: 'Remove dead sites and update prices',
    why: `Without a price, or untouched for ${staleAfterDays.site} days.`,
  },
};

/** What the seller could mend, counted over their own sites (decision 22). */
export async function Recommendations({ ownerId }: { ownerId: string }) {
  const counts = await countSellerGaps(ownerId);
  return (
    <Card>
      <CardHeader title="Recommendations" />
      {counts ? <Advice counts={counts} /> : <NoSites />}
    </Card>
  );
}

function NoSites() {
  return (
    <EmptyState icon={<Lightbulb />} title="Nothing to recommend yet">
      Once you have sites, what would make them sell better stands here.
    </EmptyState>
  );
}

function Advice({ counts }: { counts: Record<SellerGap, number> }) {
  return (
    <ul className="divide-y divide-line">
      {sellerGaps.map((gap) => (
        <li key={gap} className="flex items-start gap-3 px-4 py-3 sm:px-5">
          {counts[gap] > 0 ? (
            <CircleAlert className="mt-0.5 size-4 text-yellow-ink" />
          ) : (
            <CircleCheck className="mt-0.5 size-4 text-green-ink" />
          )}
          <div className="min-w-0 flex-1">
            <p className="text-ink">{advice[gap].title}</p>
            <p className="mt-0.5 text-subtle text-xs">{advice[gap].why}</p>
          </div>
          <Sites gap={gap} count={counts[gap]} />
        </li>
      ))}
    </ul>
  );
}

function Sites({ gap, count }: { gap: SellerGap; count: number }) {
  if (count === 0) return <span className="shrink-0 text-muted text-sm">Done</span>;
  return (
    <Link
      prefetch={false}
      href={`/seller/my-sites?gap=${gap}`}
      className="shrink-0 rounded-sm py-0.5 text-accent-ink text-sm tabular-nums underline"
    >
      {count.toLocaleString('en-US')} {count === 1 ? 'site' : 'sites'}
    </Link>
  );
}
