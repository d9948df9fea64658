import { db, type Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { markDeleted } from './delete';
import { lockSites } from './lock';
import type { BulkSitesInput } from './managed-schemas';
import { lockPricing } from './pricing/lock-pricing';
import { type Pricing, priceWithMargin } from './pricing/price-by-rule';
import { isRejection, queueRejectionMails } from './rejection';
import { saveSiteChanges } from './save-changes';
import type { SiteRow } from './views';

export type BulkOutcome = {
  changed: number;
  /** Sites that already had the requested state, or that no longer exist. */
  unchanged: number;
  /** Sites without a seller price, which cannot be priced by a margin. */
  unpriced: number;
  /** Approved sites without a public price, which are not on sale. */
  awaitingPrice: number;
};

/**
 * Approves, rejects, deletes or prices several sites in one transaction. Pricing sets the admin price and the public
 * price to the seller's price plus the margin.
 * @throws AppError not_configured for a price in a currency without an exchange rate
 */
export async function bulkSites(actor: Actor, { ids, change }: BulkSitesInput): Promise<BulkOutcome> {
  return db().transaction(async (tx) => {
    const pricing = await lockPricing(tx);
    const outcome: BulkOutcome = { changed: 0, unchanged: 0, unpriced: 0, awaitingPrice: 0 };
    const found = await lockSites(tx, ids);
    const rejected: SiteRow[] = [];
    for (const site of found) {
      const { kind, after } = await apply(tx, actor, site, change, pricing);
      outcome[kind] += 1;
      if (change.kind === 'approve' && after?.publicPriceCents === null) outcome.awaitingPrice += 1;
      if (after && isRejection(site, after)) rejected.push(after);
    }
    await queueRejectionMails(tx, actor, rejected);
    outcome.unchanged += ids.length - found.length;
    return outcome;
  });
}

async function apply(
  tx: Executor,
  actor: Actor,
  site: SiteRow,
  change: BulkSitesInput['change'],
  pricing: Pricing,
): Promise<{ kind: 'changed' | 'unchanged' | 'unpriced'; after?: SiteRow }> {
  const save = async (changes: Parameters<typeof saveSiteChanges>[3]) => {
    const after = await saveSiteChanges(tx, actor, site, changes, pricing);
    return after ? { kind: 'changed' as const, after } : { kind: 'unchanged' as const };
  };
  if (change.kind === 'delete') {
    await markDeleted(tx, actor, site);
    return { kind: 'changed' };
  }
  if (change.kind === 'price') {
    if (site.sellerPriceCents === null) return { kind: 'unpriced' };
    const priceCents = priceWithMargin(site.sellerPriceCents, change.margin);
    return save({ adminPriceCents: priceCents, publicPriceCents: priceCents });
  }
  return change.kind === 'approve'
    ? save({ status: 'Approved' })
    : save({ status: 'Rejected', rejectionReason: change.reason, rejectionNote: change.note });
}
