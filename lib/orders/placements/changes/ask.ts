import type { Executor } from '@/db/client';
import { isOpenChange, orderChanges } from '@/db/schema/order-changes';
import type { Actor } from '@/lib/access/actor';
import { spendByToken } from '@/lib/auth/spend-by-token';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { formatUsd } from '@/lib/money';
import { notifyOfChange } from '@/lib/orders/notices/notify-change';
import { type LockedPlacement, markContactData } from '@/lib/orders/placements/lock';
import { requireWithinLimits } from '@/lib/orders/spending/require-spend';
import { getTaxCents } from '@/lib/orders/tax/get-tax-cents';
import { hasContactData } from '@/lib/sites/contact-data';
import { getBuyerTax } from '@/lib/tax/buyer-tax';
import type { AskInput, Change } from './contract';
import { getDueAt, recordChangeStep } from './move';
import { getChangePrice, notOffered } from './price';
import { requireChangeable } from './require-link';

/**
 * Asks the seller for a paid change of a published article, at the current price. No money moves before the seller accepts,
 * but the price counts against the daily limit of an API token now.
 * @throws AppError conflict for an order without a live link, with an open change, and for a total above the one shown;
 * forbidden beyond the daily limit of the actor's API token and above a limit of the account; as `getBuyerTax`
 */
export async function askForChange(
  tx: Executor,
  actor: Actor,
  locked: LockedPlacement,
  { text, targetUrl = '', anchor = '', shownTotalCents }: AskInput,
): Promise<Change> {
  const { order, placement } = locked;
  await requireChangeable(tx, locked);
  const price = await getChangePrice(tx, locked);
  if (!price) throw new AppError('conflict', notOffered);
  const priceCents = price.sellerCents + price.marginCents;
  const taxCents = getTaxCents(priceCents, await getBuyerTax(order.accountId, tx));
  const totalCents = priceCents + taxCents;
  if (shownTotalCents !== undefined && totalCents > shownTotalCents)
    throw new AppError('conflict', `The price of a change is now ${formatUsd(totalCents)}. Look at it and ask again.`);
  await requireWithinLimits(tx, actor, order, totalCents);
  const dueAt = getDueAt({ state: 'asked' }, locked);
  const [change] = await tx
    .insert(orderChanges)
    .values({
      id: newId(),
      orderId: order.id,
      buyerId: order.accountId,
      sellerId: placement.sellerId,
      ...{ text, targetUrl, anchor, sellerCents: price.sellerCents, marginCents: price.marginCents },
      ...{ shownTaxCents: taxCents, dueAt, nextActionAt: dueAt },
    })
    .onConflictDoNothing({ target: orderChanges.orderId, where: isOpenChange })
    .returning();
  if (!change) throw new AppError('conflict', `Order #${order.id} has an open change already.`);
  await spendByToken(tx, actor, totalCents);
  if (hasContactData(anchor, [order.website, order.projectTargetUrl, targetUrl])) await markContactData(tx, [order.id]);
  await recordChangeStep(
    tx,
    actor,
    { ...locked, change },
    { action: 'asked', role: 'buyer', note: text, totalCents, isReturned: false },
  );
  await notifyOfChange(tx, actor, { order, placement, change, action: 'asked', role: 'buyer', note: text, taxCents });
  return change;
}
