import type { AuditEntry } from '@/lib/platform/audit/record';
import { describeDeletion } from '@/lib/sites/delete';
import { describeSiteChanges, planSiteChanges } from '@/lib/sites/plan-changes';
import { maxPriceCents, type Pricing, priceWithMargin } from '@/lib/sites/pricing/price-by-rule';
import type { SiteRow } from '@/lib/sites/views';
import type { OwnChange, PriceChange } from './schemas';

/** What a change of the seller does to a site. */
export type PlannedChange =
  | { kind: 'unchanged' }
  | { kind: 'rejected'; reason: string }
  | { kind: 'changed'; after: SiteRow; entries: AuditEntry[] };

/**
 * Determines what a change of the seller does to a site, as the same change of this site alone does.
 * @param now the time of a pause or a removal
 */
export function planOwnChange(site: SiteRow, change: OwnChange, pricing: Pricing, now: Date): PlannedChange {
  const version = site.version + 1;
  if (change.remove)
    return { kind: 'changed', after: { ...site, deletedAt: now, version }, entries: [describeDeletion(site)] };
  const priced = change.price && changePrice(site.sellerPriceCents, change.price);
  if (priced && 'reason' in priced) return { kind: 'rejected', reason: priced.reason };
  const { turnaround: tat, language, niche } = change;
  const requested = { sellerPriceCents: priced?.cents, tat, language, niche };
  const plan = planSiteChanges(site, requested, pricing, 'seller');
  const pause = planPause(site, change, now);
  if (!plan && !pause) return { kind: 'unchanged' };
  return {
    kind: 'changed',
    after: { ...(plan?.after ?? site), ...pause, version },
    entries: [...(plan ? [describeSiteChanges(site, plan)] : []), ...(pause ? [describePause(site, pause)] : [])],
  };
}

/**
 * Changes a price. A percentage is rounded to the cent, half away from zero.
 * @returns the price, or why there is none
 */
export function changePrice(cents: number | null, change: PriceChange): { cents: number } | { reason: string } {
  if ('set' in change) return { cents: change.set };
  if (cents === null) return { reason: 'The site has no price yet. Set one.' };
  const changed = 'percent' in change ? priceWithMargin(cents, Math.round(change.percent * 100)) : cents + change.cents;
  if (changed < 1) return { reason: 'The price would be below 0.01, the minimum.' };
  return changed > maxPriceCents ? { reason: 'The price would be above 1,000,000, the maximum.' } : { cents: changed };
}

type Pause = Pick<SiteRow, 'pausedAt' | 'pausedUntil'>;

/** Returns the pause after a change; null if it stays as it is. */
function planPause(site: Pause, { pause, resume }: OwnChange, now: Date): Pause | null {
  if (resume) return site.pausedAt && { pausedAt: null, pausedUntil: null };
  if (!pause) return null;
  const pausedUntil = pause.until ?? null;
  const isSame = site.pausedAt !== null && site.pausedUntil?.getTime() === pausedUntil?.getTime();
  return isSame ? null : { pausedAt: site.pausedAt ?? now, pausedUntil };
}

/** Describes a pause or its end for the audit log. */
export function describePause(
  { id, url, pausedAt, pausedUntil }: Pick<SiteRow, 'id' | 'url'> & Pause,
  after: Pause,
): AuditEntry {
  const until = after.pausedUntil && ` until ${after.pausedUntil.toISOString()}`;
  return {
    action: after.pausedAt ? 'site.paused' : 'site.resumed',
    details: `Site #${id} ${url} was ${after.pausedAt ? `paused${until ?? ''}` : 'resumed'}.`,
    entityType: 'site',
    entityId: id,
    before: { pausedAt, pausedUntil },
    after: { ...after },
  };
}
