import { and, eq, isNull, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { prepared } from '@/db/prepared';
import { ledgerAccounts } from '@/db/schema/ledger';
import { projects } from '@/db/schema/projects';
import { isInScope } from '@/lib/access/account-roles';
import type { AccountScope } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { isWalletOf } from '@/lib/ledger/balance';
import { selectStaffRecipients } from '@/lib/mail/recipients';
import { formatUsd } from '@/lib/money';
import { formatRelConflict, hasRelConflict } from '@/lib/orders/briefs/rel-conflict';
import { type OrderBriefs, requireValidBriefs, resolveBrief } from '@/lib/orders/briefs/schemas';
import { type ChosenOption, sumOptions } from '@/lib/orders/options/choose';
import { getOptionOffer } from '@/lib/orders/options/offered';
import { addOptions, chooseOrderOptions, hasOptions } from '@/lib/orders/options/order-options';
import { hasLimits } from '@/lib/orders/spending/facts';
import { getTaxCents } from '@/lib/orders/tax/get-tax-cents';
import { flagKey, flags, isFlagOffIn } from '@/lib/settings/feature-flags';
import { type BuyerTax, getBuyerTax } from '@/lib/tax/buyer-tax';
import { isTaxOn } from '@/lib/tax/operator';
import { findPricedListing, type PlannedPlacement, planPlacements } from './create-placements';
import { getFlag, getOffer, type Offer, type PricedItem, priceItems } from './pricing';
import type { CreateOrderInput, OrderWarning } from './schemas';

/** For whom an order is placed: the member whose limit it counts against. */
export type Buyer = AccountScope & { userId: string };

export type OrderContext = Awaited<ReturnType<typeof getOrderContext>>;

/**
 * Reads the data an order depends on by prepared statements, in one round trip without options and tax.
 * @param on the transaction of the order, whose connection then sends everything
 */
export async function getOrderContext(actor: Buyer, input: CreateOrderInput, on: Executor = db()) {
  const [{ buyer, tax }, offer, options] = await Promise.all([
    readBuyer(on, actor, input),
    getOffer(input, on),
    hasOptions(input) ? getOptionOffer(input.kind === 'custom' ? input.siteIds : [], on) : null,
  ]);
  return { buyer, offer, options, tax };
}

/** Reads the buyer, and while tax is on, what the order is taxed at. */
async function readBuyer(on: Executor, { userId, accountId, projectIds }: Buyer, input: CreateOrderInput) {
  const [buyer] = await buyerContext(on).execute({
    ...{ userId, accountId, projectIds },
    projectId: input.projectId,
    flag: flagKey(getFlag(input)),
  });
  return { buyer, tax: buyer?.isTaxOn ? await decideOrRefuse(on, accountId) : { decided: null } };
}

/** Decides the buyer's tax. `planOrder` throws a refusal, so that a repeat of an order still gets its answer. */
const decideOrRefuse = (
  on: Executor,
  accountId: string,
): Promise<{ decided: BuyerTax | null } | { refusal: AppError }> =>
  getBuyerTax(accountId, on).then(
    (decided) => ({ decided }),
    (thrown: unknown) => {
      if (!(thrown instanceof AppError)) throw thrown;
      return { refusal: thrown };
    },
  );

/** The project, the wallet's balance, whether the flag, tax and limits are on, and the email addresses of the staff to notify. */
const buyerContext = prepared((on) => {
  const scope = { accountId: sql.placeholder('accountId'), projectIds: sql.placeholder('projectIds') };
  const staff = selectStaffRecipients(on, 'ManageOrders', 'new-order', sql.placeholder('userId')).as('staff');
  return on
    .select({
      project: projects,
      balanceCents: ledgerAccounts.balanceCents,
      isFlagOff: isFlagOffIn(sql.placeholder('flag')),
      isTaxOn,
      isLimited: hasLimits({
        accountId: scope.accountId,
        memberId: sql.placeholder('userId'),
        projectId: sql.placeholder('projectId'),
      }),
      staff: sql<string[]>`array(${on.select({ email: staff.email }).from(staff)})`,
    })
    .from(projects)
    .leftJoin(ledgerAccounts, isWalletOf(projects.accountId))
    .where(
      and(
        eq(projects.id, sql.placeholder('projectId')),
        isInScope(scope, { accountId: projects.accountId, projectId: projects.id }),
        isNull(projects.deletedAt),
      ),
    )
    .prepare('buyer_context');
});

/** What a request orders, at the current prices. */
export type OrderPlan = {
  project: typeof projects.$inferSelect;
  /** Whether a limit or policy of the account applies, which is decided in the transaction of the order. */
  isLimited: boolean;
  /** The wallet's balance in USD cents; null without a wallet. */
  balanceCents: number | null;
  staff: string[];
  items: TaxedItem[];
  /** The placements of the items that sellers fulfill, by site. */
  placements: ReadonlyMap<number, PlannedPlacement>;
  /** The options that the briefs choose, by site; they are part of the items' prices and of the placements' shares. */
  options: ReadonlyMap<number, ChosenOption[]>;
  briefs: OrderBriefs;
  /** What the buyer should know before the order, and what does not prevent it. */
  warnings: OrderWarning[];
  /** What the orders are taxed at; null while tax is off. */
  tax: BuyerTax | null;
  /** USD cents: the prices, their tax, and the sum of both, which the wallet pays. */
  netCents: number;
  taxCents: number;
  totalCents: number;
};

/** `taxCents` is the tax on `chargedCents`. Each order has a document of its own, so each is rounded. */
type TaxedItem = PricedItem & { taxCents: number };

/** Prices the order and checks everything that needs no lock, except the balance. @throws AppError */
export function planOrder(
  { buyer, offer, options: optionOffer, tax }: OrderContext,
  actor: Buyer,
  input: CreateOrderInput,
): OrderPlan {
  if (!buyer) throw new AppError('not_found', 'This project no longer exists. Select another one.');
  if (buyer.isFlagOff) throw new AppError('not_configured', flags[getFlag(input)].off);
  requireValidBriefs(input, input.kind === 'custom' ? input.siteIds : []);
  const placed = priceItems(offer, input);
  const sites = placed.map(({ siteId }) => {
    const site = offer.sites.find(({ id }) => id === siteId);
    return { id: siteId ?? 0, listing: site ? findPricedListing(actor.accountId, site) : null };
  });
  const options = optionOffer ? chooseOrderOptions(optionOffer, sites, input) : new Map<number, ChosenOption[]>();
  const priced = placed.map((item) => addToPrice(item, options.get(item.siteId ?? 0) ?? []));
  if ('refusal' in tax) throw tax.refusal;
  const items = priced.map((item) => ({ ...item, taxCents: getTaxCents(item.chargedCents, tax.decided) }));
  const netCents = items.reduce((sum, { chargedCents }) => sum + chargedCents, 0);
  const taxCents = items.reduce((sum, item) => sum + item.taxCents, 0);
  const totalCents = netCents + taxCents;
  const { shownTotalCents = totalCents } = input;
  if (totalCents > shownTotalCents) throw priceIncreasedError(totalCents, shownTotalCents);
  return {
    ...buyer,
    items,
    placements: new Map(
      [...planPlacements(actor.accountId, offer, placed)].map(([siteId, plan]) => [
        siteId,
        addOptions(plan, options.get(siteId) ?? []),
      ]),
    ),
    options,
    briefs: input,
    warnings: listWarnings(offer.sites, input),
    tax: tax.decided,
    ...{ netCents, taxCents, totalCents },
  };
}

/** Adds options to the price of an item, which is in USD if it has any. */
function addToPrice(item: PricedItem, chosen: readonly ChosenOption[]): PricedItem {
  const { chargedCents } = sumOptions(chosen);
  return { ...item, priceCents: item.priceCents + chargedCents, chargedCents: item.chargedCents + chargedCents };
}

/** Lists the sites that do not publish the link that their brief asks for. */
function listWarnings(sites: Offer['sites'], { brief, briefs = {} }: OrderBriefs): OrderWarning[] {
  return sites.flatMap(({ id, followType }) => {
    const { rel } = resolveBrief('', brief, briefs[id]);
    // By number: models read this text, and sellers write the addresses of sites.
    const message = hasRelConflict(rel, { follow: followType === 'DoFollow' }) && formatRelConflict([`Site #${id}`]);
    return message ? [{ siteId: id, field: briefs[id]?.rel ? `briefs.${id}.rel` : 'brief.rel', message }] : [];
  });
}

function priceIncreasedError(totalCents: number, shownCents: number): AppError {
  return new AppError(
    'conflict',
    `The price changed: the total is now ${formatUsd(totalCents)}, not ${formatUsd(shownCents)}. Nothing was ordered. Review the order and confirm it.`,
  );
}
