import { Badge } from '@/components/ui/badge';
import type { Tone } from '@/components/ui/tone';
import type { SiteStatus } from '@/db/schema/sites';

export const awaitingPriceLabel = 'Approved, awaiting price';

type SiteStatusBadgeProps = {
  status: SiteStatus | null;
  /** Whether the site is approved and has no public price. */
  isAwaitingPrice: boolean;
};

/** Approved is green, Rejected red, any other state grey. A missing status is Pending. */
export function SiteStatusBadge({ status, isAwaitingPrice }: SiteStatusBadgeProps) {
  if (status === 'Approved' && isAwaitingPrice) return <Badge tone="grey">{awaitingPriceLabel}</Badge>;
  const shown = status || 'Pending';
  const tone: Tone = shown === 'Approved' ? 'green' : shown === 'Rejected' ? 'red' : 'grey';
  return <Badge tone={tone}>{shown}</Badge>;
}
