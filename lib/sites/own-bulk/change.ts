import { createHash } from 'node:crypto';
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { sites } from '@/db/schema/sites';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { returnsToReview } from '@/lib/sites/plan-changes';
import { lockPricing } from '@/lib/sites/pricing/lock-pricing';
import { sellerSitesCondition } from '@/lib/sites/seller-queries';
import type { SiteRow } from '@/lib/sites/views';
import { type PlannedChange, planOwnChange } from './plan';
import { type ChangedSite, saveOwnSites } from './save';
import {
  maxOwnBulkSites,
  maxSamples,
  type OwnBulkInput,
  type OwnBulkOutcome,
  type OwnChange,
  type SampleValues,
} from './schemas';

type PlannedSite = { site: SiteRow; plan: PlannedChange };

/**
 * Changes several sites of a seller in one transaction. A site that cannot be changed is reported and does not prevent the
 * others; one of another seller counts as one that does not exist.
 * @throws AppError unprocessable for a filter that matches too many sites; conflict if the change would do something else
 * than the named dry run
 */
export async function changeOwnSites(actor: Actor, input: OwnBulkInput): Promise<OwnBulkOutcome> {
  const { ids, change, dryRun, preview } = input;
  return db().transaction(async (tx) => {
    const pricing = await lockPricing(tx);
    const now = new Date();
    const found = await selectSites(tx, actor.userId, input);
    const planned = found.map((site): PlannedSite => ({ site, plan: planOwnChange(site, change, pricing, now) }));
    const token = hashPlan(change, planned);
    if (preview !== undefined && preview !== token) {
      const message =
        'Your sites changed since this preview. Nothing was saved. Look at the new preview and save again.';
      throw new AppError('conflict', message);
    }
    const changed = planned.flatMap(({ site, plan }) => (plan.kind === 'changed' ? [{ site, ...plan }] : []));
    if (!dryRun) await saveOwnSites(tx, actor, changed);
    const known = new Set(found.map(({ id }) => id));
    const missing = ids?.filter((id) => !known.has(id)) ?? [];
    return {
      count: ids?.length ?? found.length,
      changed: changed.length,
      review: changed.filter(({ site, after }) => returnsToReview(site, after)).length,
      rejected: [
        ...missing.map((id) => ({ id, reason: 'This site does not exist or was deleted.' })),
        ...planned.flatMap(({ site: { id }, plan }) => (plan.kind === 'rejected' ? [{ id, reason: plan.reason }] : [])),
      ],
      samples: changed.slice(0, maxSamples).map(describeSample),
      ...(dryRun && { preview: token }),
    };
  });
}

/**
 * Reads the sites of a change in id order, which prevents deadlocks, and locks them unless it is a dry run. The lock
 * excludes orders (lib/orders/order/insert-orders.ts): none is placed for a site after the answer that it is paused.
 */
async function selectSites(tx: Executor, ownerId: string, { ids, filter, dryRun }: OwnBulkInput): Promise<SiteRow[]> {
  const named: SQL | undefined = ids
    ? and(eq(sites.ownerId, ownerId), sql`${sites.id} = any(${sql.param(ids)}::int[])`)
    : sellerSitesCondition(ownerId, filter ?? {});
  const query = tx
    .select()
    .from(sites)
    .where(and(isNull(sites.deletedAt), named))
    .orderBy(asc(sites.id))
    .limit(maxOwnBulkSites + 1);
  const found = await (dryRun ? query : query.for('update'));
  if (found.length > maxOwnBulkSites)
    throw new AppError('unprocessable', 'More than 10,000 sites match. Narrow the filter.');
  return found;
}

/** Hashes what a change does, so that a change that does something else than its preview is recognized. */
function hashPlan(change: OwnChange, planned: readonly PlannedSite[]): string {
  const facts = planned.map(({ site: { id, version }, plan }) => {
    const { status, publicPriceCents } = plan.kind === 'changed' ? plan.after : {};
    return [id, version, plan.kind, status, publicPriceCents];
  });
  return createHash('sha256')
    .update(JSON.stringify([change, facts]))
    .digest('base64url');
}

/** Returns the values of a site before and after its change, without those that stay. */
function describeSample({ site, after }: ChangedSite): OwnBulkOutcome['samples'][number] {
  const { id, name, publicCurrency: currency } = site;
  const [old, next] = [Object.entries(valuesOf(site)), Object.entries(valuesOf(after))];
  const isChanged = (at: number) => old[at]?.[1] !== next[at]?.[1];
  return {
    ...{ id, name, currency },
    before: Object.fromEntries(old.filter((_, at) => isChanged(at))),
    after: Object.fromEntries(next.filter((_, at) => isChanged(at))),
  };
}

const valuesOf = (site: SiteRow): Required<SampleValues> => ({
  priceCents: site.sellerPriceCents,
  turnaround: site.tat,
  language: site.language,
  niche: site.niche,
  status: site.status,
  isPaused: site.pausedAt !== null,
  pausedUntil: site.pausedUntil?.toISOString() ?? null,
});
