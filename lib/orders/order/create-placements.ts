import { getTableColumns, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { type GivenRow, insertGiven, insertRows, toRowsParameter } from '@/db/insert-rows';
import { prepared } from '@/db/prepared';
import type { orders } from '@/db/schema/orders';
import { placementEvents, placements } from '@/db/schema/placements';
import type { PlacementRow } from '@/lib/orders/contract';
import type { PricedListing } from '@/lib/orders/options/contract';
import { addHours, getNextActionAt } from '@/lib/orders/placements/clocks';
import type { PlacementRules } from '@/lib/settings/placement-rules';
import { getOffer, type Offer, type OfferedSite, type PricedItem } from './pricing';

type Order = typeof orders.$inferSelect;

/** The seller and the shares of the charge of an order to be created. */
export type PlannedPlacement = Pick<
  typeof placements.$inferInsert,
  'sellerId' | 'sellerCents' | 'marginCents' | 'turnaroundDays' | 'guaranteeDays' | 'guaranteeCents'
>;

/**
 * Plans the placements of the sites that their owners fulfill, by site: the owner is an active seller, neither the buyer
 * nor a member of the buyer's account, and has a price in USD that the charge covers.
 */
export function planPlacements(
  buyerId: string,
  offer: Offer,
  items: readonly Pick<PricedItem, 'siteId' | 'chargedCents'>[],
): Map<number, PlannedPlacement> {
  const chargedCents = new Map(items.map((item) => [item.siteId, item.chargedCents]));
  const planned = offer.sites.map((site) => ({ site, plan: planPlacement(buyerId, site, chargedCents.get(site.id)) }));
  return new Map(planned.flatMap(({ site, plan }) => (plan ? [[site.id, plan]] : [])));
}

function planPlacement(buyerId: string, site: OfferedSite, chargedCents = 0): PlannedPlacement | null {
  const { ownerId, sellerPriceCents, publicCurrency, tatDays, isFulfilledByStaff, isOwnerActiveSeller } = site;
  if (isFulfilledByStaff || !isOwnerActiveSeller || site.ownerAccounts.includes(buyerId)) return null;
  if (publicCurrency !== 'USD' || sellerPriceCents === null) return null;
  if (sellerPriceCents <= 0 || sellerPriceCents > chargedCents) return null;
  return {
    sellerId: ownerId,
    sellerCents: sellerPriceCents,
    marginCents: chargedCents - sellerPriceCents,
    turnaroundDays: tatDays,
  };
}

/**
 * Returns what a site is sold for if its owner fulfills orders of this buyer, which options depend on; null otherwise.
 */
export function findPricedListing(buyerId: string, site: OfferedSite): PricedListing | null {
  const { id, sellerPriceCents, publicPriceCents, words } = site;
  // Only prices in USD matter, which are charged as they are.
  const plan = planPlacement(buyerId, site, publicPriceCents ?? 0);
  return plan && sellerPriceCents !== null && publicPriceCents !== null
    ? { id, sellerPriceCents, publicPriceCents, words }
    : null;
}

/** What later steps add. */
const beforeDelivery = {
  disputeId: null,
  linkVerdict: null,
  linkCheckedAt: null,
  linkRepairDueAt: null,
  proofId: null,
};

/**
 * Creates the planned placements of orders that the transaction created.
 * @returns the placements by order
 */
export async function createPlacements(
  tx: Executor,
  created: readonly Order[],
  planned: ReadonlyMap<number, PlannedPlacement>,
  rules: PlacementRules,
): Promise<Map<number, PlacementRow>> {
  const rows = created.flatMap((order) => {
    const plan = order.siteId === null ? undefined : planned.get(order.siteId);
    if (!plan) return [];
    // The database's time of the order.
    const answerDueAt = addHours(order.createdAt, rules.answerHours);
    const clocks = {
      state: 'offered' as const,
      answerDueAt,
      deliveryDueAt: null,
      approveDueAt: null,
      remindedAt: null,
    };
    const { guaranteeDays = rules.guaranteeDays, guaranteeCents = 0, ...shares } = plan;
    return [
      {
        ...shares,
        ...clocks,
        // The schedule of the rules as they are now; later changes of the rules do not apply.
        ...{ approvalPercent: rules.approvalPercent, guaranteeDays, guaranteeCents },
        orderId: order.id,
        buyerId: order.accountId,
        nextActionAt: getNextActionAt(clocks, rules, order.createdAt),
      },
    ];
  });
  if (rows.length === 0) return new Map();
  const inserted = await placementsStatement(tx).execute({ rows: toRowsParameter<NewPlacement>(rows) });
  return new Map(
    inserted.map((placement) => [
      placement.orderId,
      { ...placement, ...beforeDelivery, maxRevisions: rules.maxRevisions },
    ]),
  );
}

const placementFields = [
  ...(['orderId', 'sellerId', 'buyerId', 'state', 'sellerCents', 'marginCents', 'turnaroundDays'] as const),
  ...(['approvalPercent', 'guaranteeDays', 'guaranteeCents', 'answerDueAt', 'nextActionAt'] as const),
] as const;

type NewPlacement = GivenRow<typeof placements, (typeof placementFields)[number]>;

const placementsStatement = prepared((on) => {
  const insert = insertGiven(placements, placementFields);
  const inserted = on.$with('inserted', getTableColumns(placements)).as(sql`${insert} returning *`);
  return on.with(inserted).select().from(inserted).prepare('placements');
});

/** Records that placements were ordered, as the first event of each. */
export const recordOffers = (tx: Executor, { userId }: { userId: string }, orderIds: Iterable<number>): Promise<void> =>
  insertPlacementEvents(
    tx,
    Array.from(orderIds, (orderId) => ({
      orderId,
      action: 'ordered',
      toState: 'offered' as const,
      actorId: userId,
      role: 'buyer' as const,
    })),
  );

const insertPlacementEvents = insertRows(placementEvents, ['orderId', 'action', 'toState', 'actorId', 'role']);

/**
 * Finds the listed sites whose owners would fulfill an order of this buyer; our team fulfills the others.
 * @returns the ids of the sites
 */
export async function listSitesOfPublishers(buyerId: string, siteIds: number[]): Promise<Set<number>> {
  if (siteIds.length === 0) return new Set();
  const { sites } = await getOffer({ kind: 'custom', siteIds });
  return new Set(sites.filter((site) => findPricedListing(buyerId, site) !== null).map(({ id }) => id));
}
