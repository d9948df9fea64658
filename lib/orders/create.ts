import { createHash } from 'node:crypto';
import type { orders } from '../../db/schema/orders';
import { auditLines } from '../audit/lines';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { newId } from '../ids';
import { formatMoney, toDecimalString, walletCurrency } from '../money';
import { getWalletBalance } from '../wallet/balance';
import { revenueAccount, type Transfer, walletOf } from '../wallet/post-transfer';
import { type Offer, readOffer } from './offer';
import { placeOrders, takeOrderNumbers } from './place';
import { type PricedItem, priceItems } from './price-items';
import type { CreateOrderInput } from './schemas';
import { staffMailsAbout } from './staff-mails';
import { type OrderView, orderView } from './views';

type Order = typeof orders.$inferSelect;
type Answer = { orders: OrderView[] };

/**
 * Orders a package, or one order for each chosen site, and pays for all of them from the wallet: all or nothing. What
 * decides it is read in one statement and written in one (docs/orders.md): the wallet is locked only while that runs.
 * @param idempotencyKey a repeat with the same key and request answers what the first answered, and orders nothing
 * @throws AppError not_found for a project that is not the actor's
 * @throws AppError insufficient_funds with `url` opening the top-up with the missing amount (decision 9)
 * @throws AppError conflict when something is no longer on sale or dearer than the buyer was told, or the key was used
 * for another request
 */
export async function createOrder(
  actor: Actor,
  input: CreateOrderInput,
  idempotencyKey: string | null = null,
): Promise<Answer> {
  const { shownTotalCents, ...asked } = input;
  const requestHash = createHash('sha256').update(JSON.stringify(asked)).digest('hex');
  const offer = await readOffer(actor.userId, input, idempotencyKey);
  if (offer.known) return firstAnswer(offer.known, requestHash);
  const { project } = offer;
  if (!project) throw new AppError('not_found', 'This project does not exist any more. Select another one.');

  const items = priceItems(offer, input);
  const totalCents = items.reduce((sum, item) => sum + item.chargedCents, 0);
  if (shownTotalCents !== undefined && totalCents > shownTotalCents) throw dearer(totalCents, shownTotalCents);
  // The wallet itself decides below, under its lock. What it plainly cannot pay uses up no order number, and no mail is
  // rendered for it.
  if (totalCents > offer.balanceCents) throw await tooLittleMoney(actor, totalCents);

  const checkoutId = newId();
  const made = await numbered(items, {
    userId: actor.userId,
    checkoutId,
    kind: input.kind,
    projectId: project.id,
    projectDomain: project.domain,
    projectTargetUrl: project.targetUrl,
    projectKeywords: project.keywords,
  });
  const answer = { orders: made.map((order) => orderView({ ...order, contentFileName: null })) };
  const isPlaced = await placeOrders({
    checkout: {
      id: checkoutId,
      userId: actor.userId,
      idempotencyKey,
      requestHash,
      totalCents,
      answer: idempotencyKey === null ? null : answer,
    },
    orders: made,
    audit: auditLines(actor, made.map(entryOf)),
    mails: await staffMailsAbout(made, actor, offer.staff),
    transfers: made.filter((order) => order.chargedCents > 0).map(paymentOf),
  }).catch(async (thrown: unknown) => {
    const isTooLittle = thrown instanceof AppError && thrown.code === 'insufficient_funds';
    throw isTooLittle ? await tooLittleMoney(actor, totalCents) : thrown;
  });
  if (isPlaced) return answer;
  // A call with the same key was first by moments.
  return firstAnswer((await readOffer(actor.userId, input, idempotencyKey)).known, requestHash);
}

/** The rows to be, each with its number. */
async function numbered(
  items: readonly PricedItem[],
  common: Pick<
    Order,
    'userId' | 'checkoutId' | 'kind' | 'projectId' | 'projectDomain' | 'projectTargetUrl' | 'projectKeywords'
  >,
): Promise<Order[]> {
  const numbers = await takeOrderNumbers(items.length);
  return numbers.flatMap(({ id, at }, index) => {
    const item = items[index];
    if (!item) return [];
    return {
      ...common,
      ...item,
      id,
      status: 'Pending' as const,
      linkUrl: '',
      adminComments: '',
      refundCount: 0,
      version: 1,
      createdAt: at,
      updatedAt: at,
      deletedAt: null,
    };
  });
}

function entryOf(order: Order) {
  const { status, website, packageName, projectId } = order;
  return {
    action: 'order.created',
    details: `Order #${order.id} for ${website || packageName}: ${formatMoney(order.chargedCents, walletCurrency)} from the wallet.`,
    entityType: 'order',
    entityId: order.id,
    amountCents: order.chargedCents,
    after: { status, website, packageName, projectId },
  };
}

function paymentOf(order: Order): Transfer {
  return {
    key: `order:${order.id}`,
    kind: 'order',
    from: walletOf(order.userId),
    to: revenueAccount,
    amountCents: order.chargedCents,
    currency: walletCurrency,
    orderId: order.id,
    actorId: order.userId,
    method: 'Wallet',
    note: `Order #${order.id}: ${order.website || order.packageName}`,
  };
}

function firstAnswer(known: Offer['known'], requestHash: string): Answer {
  if (!known?.answer || known.requestHash !== requestHash) {
    const message = 'This Idempotency-Key was used for another order.';
    throw new AppError('conflict', message, { fields: { idempotencyKey: message } });
  }
  return storedAnswer(known.answer);
}

/** Only `createOrder` writes this column, and only with what it answers. */
function storedAnswer(answer: unknown): Answer {
  return answer as Answer;
}

function dearer(totalCents: number, shownCents: number): AppError {
  const money = (cents: number) => formatMoney(cents, walletCurrency);
  return new AppError(
    'conflict',
    `The price changed: this costs ${money(totalCents)} now, not ${money(shownCents)}. Nothing was ordered; look at it again and confirm.`,
  );
}

/** Says how much is missing and where to add it. */
async function tooLittleMoney(actor: Actor, totalCents: number): Promise<AppError> {
  const balanceCents = await getWalletBalance(actor.userId);
  // A top-up is at least 1.00 (spec 001, section 5).
  const missingCents = Math.max(totalCents - balanceCents, 100);
  const money = (cents: number) => formatMoney(cents, walletCurrency);
  return new AppError(
    'insufficient_funds',
    `This costs ${money(totalCents)} and your wallet holds ${money(balanceCents)}. Add ${money(missingCents)} to order.`,
    { url: `/user/wallet?topup=${toDecimalString(missingCents)}` },
  );
}
