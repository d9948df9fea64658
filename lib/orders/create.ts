import { createHash } from 'node:crypto';
import { and, eq, isNull } from 'drizzle-orm';
import { db, type Executor } from '../../db/client';
import { checkouts, orders } from '../../db/schema/orders';
import { projects } from '../../db/schema/projects';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { newId } from '../ids';
import { formatMoney, toDecimalString, walletCurrency } from '../money';
import { getWalletBalance } from '../wallet/balance';
import { postTransfers, revenueAccount, walletOf } from '../wallet/post-transfer';
import { priceItems } from './price-items';
import type { CreateOrderInput } from './schemas';
import { tellStaffOfOrders } from './tell-staff';
import { type OrderView, orderView } from './views';

/**
 * Orders a package, or one order for each chosen site, and pays for all of them from the wallet: all or nothing, in
 * one transaction. The wallet is debited last, so that its row is locked for the shortest time.
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
): Promise<{ orders: OrderView[] }> {
  const { shownTotalCents, ...asked } = input;
  const requestHash = createHash('sha256').update(JSON.stringify(asked)).digest('hex');
  let totalCents = 0;
  try {
    return await db().transaction(async (tx) => {
      const checkoutId = newId();
      // First, so that a repeat that runs at the same moment waits here and then finds this checkout.
      const [claimed] = await tx
        .insert(checkouts)
        .values({ id: checkoutId, userId: actor.userId, idempotencyKey, requestHash, totalCents: 0 })
        .onConflictDoNothing({ target: [checkouts.userId, checkouts.idempotencyKey] })
        .returning({ id: checkouts.id });
      if (!claimed) return firstAnswer(tx, actor.userId, idempotencyKey, requestHash);

      const [project] = await tx
        .select()
        .from(projects)
        .where(and(eq(projects.id, input.projectId), eq(projects.userId, actor.userId), isNull(projects.deletedAt)));
      if (!project) throw new AppError('not_found', 'This project does not exist any more. Select another one.');

      const items = await priceItems(tx, input);
      totalCents = items.reduce((sum, item) => sum + item.chargedCents, 0);
      if (shownTotalCents !== undefined && totalCents > shownTotalCents) throw dearer(totalCents, shownTotalCents);
      // The wallet itself decides below, under its lock. What it plainly cannot pay is refused before anything is written
      // or rendered for it, and uses up no order number.
      if (totalCents > (await getWalletBalance(actor.userId, tx))) throw new AppError('insufficient_funds', '');
      const created = await tx
        .insert(orders)
        .values(
          items.map((item) => ({
            ...item,
            userId: actor.userId,
            checkoutId,
            kind: input.kind,
            projectId: project.id,
            projectDomain: project.domain,
            projectTargetUrl: project.targetUrl,
            projectKeywords: project.keywords,
          })),
        )
        .returning();
      const answer = { orders: created.map((order) => orderView({ ...order, contentFileName: null })) };
      await tx
        .update(checkouts)
        .set({ totalCents, ...(idempotencyKey !== null && { answer }) })
        .where(eq(checkouts.id, checkoutId));
      await recordAudit(
        tx,
        actor,
        ...created.map((order) => ({
          action: 'order.created',
          details: `Order #${order.id} for ${order.website || order.packageName}: ${formatMoney(order.chargedCents, walletCurrency)} from the wallet.`,
          entityType: 'order',
          entityId: order.id,
          amountCents: order.chargedCents,
          after: {
            status: order.status,
            website: order.website,
            packageName: order.packageName,
            projectId: order.projectId,
          },
        })),
      );
      await tellStaffOfOrders(tx, actor, created);
      await postTransfers(
        tx,
        created
          .filter((order) => order.chargedCents > 0)
          .map((order) => ({
            key: `order:${order.id}`,
            kind: 'order' as const,
            from: walletOf(actor.userId),
            to: revenueAccount,
            amountCents: order.chargedCents,
            currency: walletCurrency,
            orderId: order.id,
            actorId: actor.userId,
            method: 'Wallet',
            note: `Order #${order.id}: ${order.website || order.packageName}`,
          })),
      );
      return answer;
    });
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'insufficient_funds')
      throw await tooLittleMoney(actor, totalCents);
    throw thrown;
  }
}

async function firstAnswer(
  tx: Executor,
  userId: string,
  idempotencyKey: string | null,
  requestHash: string,
): Promise<{ orders: OrderView[] }> {
  const [known] = await tx
    .select()
    .from(checkouts)
    .where(and(eq(checkouts.userId, userId), eq(checkouts.idempotencyKey, idempotencyKey ?? '')));
  if (!known?.answer || known.requestHash !== requestHash) {
    const message = 'This Idempotency-Key was used for another order.';
    throw new AppError('conflict', message, { fields: { idempotencyKey: message } });
  }
  return storedAnswer(known.answer);
}

/** Only `createOrder` writes this column, and only with what it answers. */
function storedAnswer(answer: unknown): { orders: OrderView[] } {
  return answer as { orders: OrderView[] };
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
