import { and, desc, eq, inArray } from 'drizzle-orm';
import { db } from '@/db/client';
import { isOpenChange, orderChanges } from '@/db/schema/order-changes';
import { orderTaxes } from '@/db/schema/tax';
import type { OrderRow } from '@/lib/orders/contract';
import { estimateTaxCents } from '@/lib/orders/tax/get-tax-cents';
import { computeTaxCents } from '@/lib/tax/amounts';
import { getPageTax } from '@/lib/tax/buyer-tax';
import { type Change, type ChangeView, changeView, isChangeOver } from './contract';
import { getChangePrice, notOffered } from './price';
import { findWatch, getChangeRefusal } from './require-link';

/** Lists the changes of an order, newest first. */
export const listChanges = (orderId: number): Promise<Change[]> =>
  db().select().from(orderChanges).where(eq(orderChanges.orderId, orderId)).orderBy(desc(orderChanges.id)).limit(100);

/** Returns the changes of an order as its buyer sees them, each with its tax. */
export async function viewChanges(changes: readonly Change[]): Promise<ChangeView[]> {
  const open = changes.find((change) => change.chargedAt === null && !isChangeOver(change));
  const charged = changes.filter(({ chargedAt }) => chargedAt !== null).map(({ id }) => `change:${id}`);
  const [shown, taxes] = await Promise.all([
    open ? getPageTax(open.buyerId) : null,
    charged.length === 0
      ? []
      : db()
          .select({ key: orderTaxes.movementKey, taxCents: orderTaxes.taxCents })
          .from(orderTaxes)
          .where(inArray(orderTaxes.movementKey, charged)),
  ]);
  const rate = shown && 'rate' in shown ? shown.rate : 0;
  const paid = new Map(taxes.map(({ key, taxCents }) => [key, taxCents]));
  return changes.map((change) => {
    const now = change === open ? computeTaxCents(change.sellerCents + change.marginCents, rate) : 0;
    return changeView(change, paid.get(`change:${change.id}`) ?? now);
  });
}

/** Returns a change as its buyer sees it, with its tax. */
export async function viewChange(change: Change): Promise<ChangeView> {
  const [view] = await viewChanges([change]);
  return view ?? changeView(change);
}

/** Reads the states of the open changes of orders. */
export async function listOpenChanges(orderIds: readonly number[]): Promise<Map<number, Change['state']>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db()
    .select({ orderId: orderChanges.orderId, state: orderChanges.state })
    .from(orderChanges)
    .where(and(inArray(orderChanges.orderId, [...orderIds]), isOpenChange));
  return new Map(rows.map(({ orderId, state }) => [orderId, state]));
}

/** Returns what a change of an order costs the buyer now and its tax, or why none can be asked for. */
export async function offerChange(
  order: OrderRow,
): Promise<{ priceCents: number; taxCents: number; reason: null } | { priceCents: null; taxCents: 0; reason: string }> {
  const { id, placement } = order;
  if (!placement) return { priceCents: null, taxCents: 0, reason: `Order #${id} is not fulfilled by a seller.` };
  const refusal = getChangeRefusal({ order, placement }, await findWatch(db(), id));
  if (refusal !== null) return { priceCents: null, taxCents: 0, reason: refusal };
  if ((await listOpenChanges([id])).size > 0)
    return { priceCents: null, taxCents: 0, reason: `Order #${id} has an open change already.` };
  const price = await getChangePrice(db(), { order, placement });
  if (!price) return { priceCents: null, taxCents: 0, reason: notOffered };
  const priceCents = price.sellerCents + price.marginCents;
  return { priceCents, taxCents: await estimateTaxCents(order.accountId, priceCents), reason: null };
}
