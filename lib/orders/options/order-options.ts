import { insertRows } from '@/db/insert-rows';
import { orderOptions } from '@/db/schema/site-options';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { type OrderBriefs, resolveBrief } from '@/lib/orders/briefs/schemas';
import { type ChosenOption, chooseOptions, sumOptions } from './choose';
import type { PricedListing } from './contract';
import type { OptionOffer } from './offered';

/** Checks whether the briefs of an order choose options. */
export const hasOptions = ({ brief, briefs = {} }: OrderBriefs): boolean =>
  [brief, ...Object.values(briefs)].some((one) => (one?.options ?? []).length > 0);

/** A site of an order, with what its publisher sells it for; null if our team fulfills it. */
type OrderedSite = { id: number; listing: PricedListing | null };

/**
 * Prices the options of an order, by site. A brief of all sites has the options of several: each takes its own.
 * @throws AppError conflict, with a message for each brief, for options that cannot be ordered
 */
export function chooseOrderOptions(
  offer: OptionOffer,
  sites: readonly OrderedSite[],
  { brief, briefs = {} }: OrderBriefs,
): Map<number, ChosenOption[]> {
  const fields: Record<string, string> = {};
  const bySite = new Map<number, ChosenOption[]>();
  const common = brief?.options ?? [];
  const isOf = (site: OrderedSite, id: string) => (offer.bySite.get(site.id) ?? []).some((row) => row.id === id);
  const takers = sites.filter(({ id }) => briefs[id]?.options === undefined);
  const unknown = common.find((id) => !takers.some((site) => isOf(site, id)));
  if (unknown !== undefined)
    fields['brief.options'] = `Option ${unknown} is not offered by a site of this order, or no longer. Choose again.`;
  for (const site of sites) {
    const own = briefs[site.id]?.options;
    const ids = own ?? common.filter((id) => isOf(site, id));
    const { chosen, problem } = chooseOptions(offer, site.listing, ids, resolveBrief('', brief, briefs[site.id]));
    if (problem) fields[own ? `briefs.${site.id}.options` : 'brief.options'] ??= problem;
    if (chosen.length > 0) bySite.set(site.id, chosen);
  }
  const [message] = Object.values(fields);
  if (message !== undefined) throw new AppError('conflict', `${message} Nothing was ordered.`, { fields });
  return bySite;
}

/** Adds the shares of options to those of a placement. A chosen guarantee replaces the default one. */
export function addOptions<Plan extends { sellerCents: number; marginCents: number }>(
  plan: Plan,
  chosen: readonly ChosenOption[],
): Plan & { guaranteeDays?: number; guaranteeCents: number } {
  const sums = sumOptions(chosen);
  const days = chosen.find(({ kind }) => kind === 'guarantee')?.days;
  return {
    ...plan,
    sellerCents: plan.sellerCents + sums.sellerCents,
    marginCents: plan.marginCents + sums.marginCents,
    guaranteeCents: sums.guaranteeCents,
    ...(days && { guaranteeDays: days }),
  };
}

/** Lists the copies of the options of orders that the transaction created; `insertOptions` inserts them. */
export const listOrderOptions = (
  created: readonly { id: number; siteId: number | null; createdAt: Date }[],
  chosen: ReadonlyMap<number, readonly ChosenOption[]>,
): (typeof orderOptions.$inferSelect)[] =>
  created.flatMap(({ id, siteId, createdAt }) =>
    (chosen.get(siteId ?? 0) ?? []).map(({ days = null, topic = null, words = null, ...option }) => ({
      ...{ id: newId(), orderId: id, ...option, days, topic, words, isExtension: false, createdAt },
    })),
  );

/** Inserts the copies of options. */
export const insertOptions = insertRows(orderOptions, [
  ...(['id', 'orderId', 'optionId', 'kind', 'days', 'topic', 'words'] as const),
  ...(['chargedCents', 'sellerCents', 'marginCents'] as const),
]);
