import { and, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { orderOptions } from '@/db/schema/site-options';
import { sites } from '@/db/schema/sites';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { spendByToken } from '@/lib/auth/spend-by-token';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { formatUsd, walletCurrency } from '@/lib/money';
import { formatState, type OrderRow } from '@/lib/orders/contract';
import type { OfferedOption, PricedListing } from '@/lib/orders/options/contract';
import { getOptionOffer, isForSale, offeredOptionView } from '@/lib/orders/options/offered';
import { priceOption } from '@/lib/orders/options/price';
import { toInsufficientFunds } from '@/lib/orders/shortage';
import { requireWithinLimits } from '@/lib/orders/spending/require-spend';
import { getTaxCents } from '@/lib/orders/tax/get-tax-cents';
import { postOrderTransfers } from '@/lib/orders/tax/post-order-transfers';
import { versionField } from '@/lib/platform/http/fields';
import type { SiteOptionRow } from '@/lib/sites/options/contract';
import { getBuyerTax } from '@/lib/tax/buyer-tax';
import { addToPlacement } from './add-to-placement';
import type { LockedPlacement } from './lock';
import { getGuarantee } from './shares';
import { createExtensionTransfers } from './transfers';
import { movePlacement, requireState } from './transition';

const optionMessage = 'Choose a guarantee of the site.';

/** The body of POST /api/orders/{id}/guarantee. */
export const extendGuaranteeBody = z.object({
  optionId: z
    .string(optionMessage)
    .min(1, optionMessage)
    .max(64, optionMessage)
    .describe('A guarantee among the `options` of the site. Its days are added to the end of the running guarantee.'),
  shownTotalCents: z
    .int()
    .min(0)
    .optional()
    .describe('The price with tax that the buyer saw, in USD cents. A higher current one is refused.'),
  version: versionField
    .optional()
    .describe(
      'The version of the placement on which the request is based; a stale one is refused. Default: the version when the request arrives, so that of two requests at once one pays.',
    ),
});
export type ExtendGuaranteeInput = z.output<typeof extendGuaranteeBody>;

/** A placement in terms of the listing that it was ordered from. */
type Extended = { order: Pick<OrderRow, 'siteId'>; placement: Pick<LockedPlacement['placement'], 'sellerId'> };

/**
 * Finds what the listing of a placement is sold for. A paused listing and one that is reviewed again count, because
 * running orders go on; null if it was removed, or is priced in a way that its publisher cannot be paid for.
 */
async function findListing(on: Executor, { order, placement }: Extended): Promise<PricedListing | null> {
  if (order.siteId === null) return null;
  const [site] = await on
    .select({
      id: sites.id,
      sellerPriceCents: sites.sellerPriceCents,
      publicPriceCents: sites.publicPriceCents,
      words: sites.words,
    })
    .from(sites)
    .innerJoin(users, eq(users.id, sites.ownerId))
    .where(
      and(
        eq(sites.id, order.siteId),
        eq(sites.ownerId, placement.sellerId),
        eq(sites.publicCurrency, walletCurrency),
        isNull(sites.deletedAt),
        sql`lower(${users.role}) = 'seller' and ${users.status} = 'Active' and ${users.deletedAt} is null`,
      ),
    );
  if (!site || site.sellerPriceCents === null || site.publicPriceCents === null) return null;
  const { id, sellerPriceCents, publicPriceCents, words } = site;
  return sellerPriceCents > 0 && sellerPriceCents <= publicPriceCents
    ? { id, sellerPriceCents, publicPriceCents, words }
    : null;
}

type Days = Pick<LockedPlacement['placement'], 'guaranteeDays' | 'addedDays'>;

/** Lists the guarantees of a listing by which a placement can be extended, within the operator's limit of days. */
async function readGuarantees(on: Executor, extended: Extended & { placement: Days }) {
  const listing = await findListing(on, extended);
  if (!listing) return null;
  const offer = await getOptionOffer([listing.id], on);
  const { guaranteeDays, addedDays } = extended.placement;
  const left = offer.rules.maxGuaranteeDays - guaranteeDays - addedDays;
  const rows = (offer.bySite.get(listing.id) ?? []).filter(
    (row) => row.kind === 'guarantee' && (row.days ?? 0) <= left && isForSale(row, offer),
  );
  return { listing, offer, rows };
}

/** Lists by what a buyer can extend the running guarantee of an order, at the current prices; none without one. */
export async function listExtensions({
  siteId,
  placement,
}: Pick<OrderRow, 'siteId' | 'placement'>): Promise<OfferedOption[]> {
  const endsAt = placement && getGuarantee(placement)?.endsAt;
  if (placement?.state !== 'approved' || !endsAt || endsAt <= new Date()) return [];
  const found = await readGuarantees(db(), { order: { siteId }, placement });
  return found ? found.rows.map((row) => offeredOptionView(row, found.offer, found.listing)) : [];
}

/**
 * Extends the running guarantee of an approved placement: the buyer pays the option's current price with tax, and its days are
 * added to the end. The seller's share of it ripens at the new end.
 * @throws InsufficientFunds, and AppError conflict in another state, for a guarantee that is over, for an option that
 * is not for sale, and for a price above the one that the buyer saw; forbidden beyond the daily limit of the actor's
 * API token and above a limit of the account; as `getBuyerTax`
 */
export async function extendGuarantee(
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  { optionId, shownTotalCents }: Pick<ExtendGuaranteeInput, 'optionId' | 'shownTotalCents'>,
): Promise<LockedPlacement> {
  requireState(locked, 'guarantee_extended');
  const { order, placement, now } = locked;
  const endsAt = getGuarantee(placement)?.endsAt;
  if (!endsAt || endsAt <= now)
    throw new AppError('conflict', `Order #${order.id} is ${formatState(placement.state)}: its guarantee is over.`);
  const { row, price } = await priceExtension(tx, locked, optionId);
  const tax = await getBuyerTax(order.accountId, tx);
  const taxCents = getTaxCents(price.chargedCents, tax);
  const totalCents = price.chargedCents + taxCents;
  if (totalCents > (shownTotalCents ?? totalCents)) {
    throw new AppError(
      'conflict',
      `The price changed: the guarantee now costs ${formatUsd(totalCents)}, not ${formatUsd(shownTotalCents ?? 0)}. Nothing was paid. Review it and confirm.`,
    );
  }
  await requireWithinLimits(tx, actor, order, totalCents);
  const days = row.days ?? 0;
  const [option] = await tx
    .insert(orderOptions)
    .values({ id: newId(), orderId: order.id, optionId, kind: row.kind, days, ...price, isExtension: true })
    .returning({ id: orderOptions.id });
  if (!option) throw new Error('The extension was not inserted.');
  const addition = { ...price, taxCents, guaranteeCents: price.sellerCents, addedDays: days };
  const grown = await addToPlacement(tx, locked, addition);
  const after = await movePlacement(tx, actor, grown, {
    action: 'guarantee_extended',
    role: 'buyer',
    note: String(days),
    details: `${days} days for ${formatUsd(totalCents)} from the wallet`,
  });
  await spendByToken(tx, actor, totalCents);
  // The transfers last, because they lock the wallet.
  const transfers = createExtensionTransfers(order, placement, { id: option.id, ...price }, actor.userId);
  await postOrderTransfers(tx, transfers, tax).catch((thrown: unknown) => {
    throw toInsufficientFunds(thrown, totalCents);
  });
  return after;
}

/** Prices the extension by an option. @throws AppError conflict for an option that is not for sale */
async function priceExtension(tx: Executor, locked: LockedPlacement, optionId: string) {
  const found = await readGuarantees(tx, locked);
  const row = found?.rows.find(({ id }) => id === optionId);
  if (!found || !row) throw notForSaleError(locked);
  const price = priceOption(row, { ...found.listing, words: null, rules: found.offer.rules });
  return { row, price } satisfies { row: SiteOptionRow; price: unknown };
}

const notForSaleError = ({ order }: LockedPlacement): AppError => {
  const message = `This guarantee is not offered for order #${order.id}, or no longer. Choose another one.`;
  return new AppError('conflict', message, { fields: { optionId: message } });
};
