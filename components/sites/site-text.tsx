import { Badge, type Tone } from '@/components/ui/badge';
import type { SiteStatus } from '@/db/schema/sites';
import { groupDigits } from '@/lib/money';
import type { Linked } from '@/lib/sites/responses';

/** Formats a figure with at most two decimals; a dash for an unknown one. */
export function formatFigure(value: number | null, unit = ''): string {
  return value === null ? '–' : `${groupDigits(Number(value.toFixed(2)))}${unit}`;
}

/** Returns the address of a site without scheme, "www." and the trailing slash. */
export function siteHost(url: string): string {
  return url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');
}

export const awaitingPriceLabel = 'Approved, awaiting price';

type SiteStatusBadgeProps = {
  status: SiteStatus | null;
  /** Whether the site is approved and has no public price. */
  isAwaitingPrice: boolean;
};

/** Renders the status of a site: Approved is green, Rejected red, any other state grey. A missing status is Pending. */
export function SiteStatusBadge({ status, isAwaitingPrice }: SiteStatusBadgeProps) {
  if (status === 'Approved' && isAwaitingPrice) return <Badge tone="grey">{awaitingPriceLabel}</Badge>;
  const shown = status || 'Pending';
  const tone: Tone = shown === 'Approved' ? 'green' : shown === 'Rejected' ? 'red' : 'grey';
  return <Badge tone={tone}>{shown}</Badge>;
}

/** Says how a site relates to a project: "Links to example.com". @param domain of the project */
export function describeLinked(linked: NonNullable<Linked>, domain = 'the project'): string {
  return { live: `Links to ${domain}`, lost: 'Linked before, lost', ordered: 'Ordered' }[linked];
}

/** Formats a turnaround: "1 day", "5 days". */
export const formatDays = (days: number): string => (days === 1 ? '1 day' : `${days} days`);
