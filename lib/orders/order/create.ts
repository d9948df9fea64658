import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { checkouts, orders } from '@/db/schema/orders';
import type { Actor } from '@/lib/access/actor';
import { spendByToken } from '@/lib/auth/spend-by-token';
import { AppError } from '@/lib/errors';
import { recordEvents } from '@/lib/events/record';
import { newId } from '@/lib/ids';
import {
  type LedgerAccount,
  reservedAccount,
  revenueAccount,
  type Transfer,
  walletAccount,
} from '@/lib/ledger/post-transfer';
import { queueMail } from '@/lib/mail/compose';
import { formatUsd, walletCurrency } from '@/lib/money';
import { type OrderView, orderView } from '@/lib/orders/contract';
import { newOrderMail } from '@/lib/orders/notices/order-notices';
import { orderedEvents } from '@/lib/orders/notices/webhook-events';
import { createOrderOptions } from '@/lib/orders/options/order-options';
import { InsufficientFunds, toInsufficientFunds, withTopUpUrl } from '@/lib/orders/shortage';
import { postOrderTransfers } from '@/lib/orders/tax/post-order-transfers';
import { recordAudit } from '@/lib/platform/audit/record';
import { createPlacements } from './create-placements';
import { lockAndRequireNew } from './duplicates';
import { lockListed } from './lock-listed';
import { getOrderContext, type OrderContext, type OrderPlan, planOrder } from './plan';
import type { CreateOrderInput, OrderWarning } from './schemas';
import { createBriefs } from './write-briefs';

type Order = typeof orders.$inferSelect;
export type CreateOrderResult = { orders: OrderView[]; warnings?: OrderWarning[] };

type OrderOptions = {
  /** Called with what would be ordered; throws to refuse it. It is not called for a repeat. */
  review?: (plan: OrderPlan) => void;
  /** What a repeat must equal. Default: the input without the total that the buyer saw. */
  request?: unknown;
  /** Called in the transaction before the orders are created; throws to refuse them. It is not called for a repeat. */
  prepare?: (tx: Executor) => Promise<void>;
};

/**
 * Orders a package, or one order for each selected site, and pays for all of them from the wallet: all or nothing, in
 * one transaction. The transfers are posted last, so that the wallet is locked for the shortest time
 * (docs/internals/ledger.md).
 * @param idempotencyKey a repeat with the same key and request returns the first answer and orders nothing
 * @throws AppError not_found for a project of another user and for an article that the actor did not upload;
 * invalid_input for an invalid brief; forbidden beyond the daily limit of the actor's API token
 * @throws AppError insufficient_funds with `url` opening the top-up with the missing amount; billing_incomplete while tax is
 * on and the buyer has no country
 * @throws AppError conflict when an item is no longer on sale or costs more than the price shown to the buyer, or when the
 * key was used for another request; duplicate_site with `rejectDuplicates`
 */
export async function createOrder(
  actor: Actor,
  input: CreateOrderInput,
  idempotencyKey: string | null = null,
  options: OrderOptions = {},
): Promise<CreateOrderResult> {
  const context = await getOrderContext(actor, input);
  return withTopUpUrl(actor, () =>
    db().transaction((tx) => createOrderIn(tx, actor, input, idempotencyKey, { context, ...options })),
  );
}

async function createOrderIn(
  tx: Executor,
  actor: Actor,
  input: CreateOrderInput,
  idempotencyKey: string | null,
  { context, review, request = withoutShownTotal(input), prepare }: OrderOptions & { context: OrderContext },
): Promise<CreateOrderResult> {
  const { userId, accountId } = actor;
  const requestHash = hashRequest(request);
  let plan: OrderPlan | undefined;
  let refusal: unknown;
  try {
    const possible = planOrder(context, actor, input);
    review?.(possible);
    requireFunds(possible);
    plan = possible;
  } catch (thrown) {
    refusal = thrown;
  }
  const checkoutId = newId();
  const insertCheckout = () =>
    tx
      .insert(checkouts)
      .values({ id: checkoutId, accountId, idempotencyKey, requestHash, totalCents: plan?.totalCents ?? 0 })
      .onConflictDoNothing()
      .returning({ id: checkouts.id })
      .prepare('checkout')
      .execute();
  // With a key first, before any refusal: a concurrent request with the same key waits here until this transaction ends.
  if (idempotencyKey !== null && (await insertCheckout()).length === 0) {
    return replayResult(tx, accountId, idempotencyKey, requestHash);
  }
  if (!plan) throw refusal;
  const { project, staff, items, placements: planned, options: chosen, briefs, warnings, tax, totalCents } = plan;
  if (input.kind === 'custom' && input.rejectDuplicates) await lockAndRequireNew(tx, project, input.siteIds);
  await prepare?.(tx);

  const insertOrders = tx
    .insert(orders)
    .values(
      items.map((item) => ({
        ...item,
        accountId,
        orderedBy: userId,
        checkoutId,
        kind: input.kind,
        projectId: project.id,
        projectDomain: project.domain,
        projectTargetUrl: project.targetUrl,
        projectKeywords: project.keywords,
        isFulfilledBySeller: typeof item.siteId === 'number' && planned.has(item.siteId),
      })),
    )
    .returning();
  // Statements of one Promise.all are sent together and executed in its order.
  const [, , created] = await Promise.all([
    lockListed(tx, items),
    idempotencyKey === null && insertCheckout(),
    // Prepared for the common case of one item, because each number of rows is a separate statement.
    items.length === 1 ? insertOrders.prepare('order').execute() : insertOrders,
  ]);
  const [offered, written, options] = await Promise.all([
    createPlacements(tx, actor, created, planned),
    createBriefs(tx, actor, created, briefs),
    createOrderOptions(tx, created, chosen),
  ]);
  const response = {
    orders: created.map((order) =>
      orderView({
        ...order,
        contentFileName: null,
        placement: offered.get(order.id) ?? null,
        brief: written.get(order.id) ?? null,
        options: options.get(order.id) ?? [],
      }),
    ),
    ...(warnings.length > 0 && { warnings }),
  };
  await queueMail(tx, newOrderMail(created, actor, staff));
  await spendByToken(tx, actor, totalCents);
  // The transfers last, because they lock the wallet.
  await Promise.all([
    recordAudit(tx, actor, ...created.map(createAuditEntry)),
    recordEvents(tx, orderedEvents(created, offered)),
    idempotencyKey !== null &&
      tx
        .update(checkouts)
        .set({ answer: response })
        .where(eq(checkouts.id, checkoutId))
        .prepare('store_answer')
        .execute(),
    postOrderTransfers(
      tx,
      created.map((order) => createPayment(order, offered.has(order.id) ? reservedAccount : revenueAccount)),
      tax,
    ).catch((thrown: unknown) => {
      throw toInsufficientFunds(thrown, totalCents);
    }),
  ]);
  return response;
}

const withoutShownTotal = ({ shownTotalCents: _, ...request }: CreateOrderInput) => request;

const hashRequest = (request: unknown): string => createHash('sha256').update(JSON.stringify(request)).digest('hex');

/**
 * Returns the first answer of a request to order, null for one that ordered nothing yet.
 * @throws AppError conflict when the key was used for another request
 */
export async function findOrderAnswer(
  { accountId }: Actor,
  idempotencyKey: string,
  request: unknown,
): Promise<CreateOrderResult | null> {
  const [known] = await db()
    .select({ id: checkouts.id })
    .from(checkouts)
    .where(and(eq(checkouts.accountId, accountId), eq(checkouts.idempotencyKey, idempotencyKey)));
  return known ? replayResult(db(), accountId, idempotencyKey, hashRequest(request)) : null;
}

/** Rejects early to save order numbers. The ledger checks the balance again under the wallet's lock. */
function requireFunds({ totalCents, balanceCents }: OrderPlan): void {
  if (totalCents > (balanceCents ?? 0)) throw new InsufficientFunds(totalCents);
}

/** Returns the earlier result of a key. @throws AppError conflict when the key was used for another request */
async function replayResult(
  tx: Executor,
  accountId: string,
  idempotencyKey: string,
  requestHash: string,
): Promise<CreateOrderResult> {
  const [first] = await tx
    .select({ requestHash: checkouts.requestHash, answer: checkouts.answer })
    .from(checkouts)
    .where(and(eq(checkouts.accountId, accountId), eq(checkouts.idempotencyKey, idempotencyKey)));
  if (!first?.answer || first.requestHash !== requestHash) {
    const message = 'This Idempotency-Key was already used for another order.';
    throw new AppError('conflict', message, { fields: { idempotencyKey: message } });
  }
  return asStoredResult(first.answer);
}

/** Asserts the column's type. Only `createOrder` writes this column. */
function asStoredResult(response: unknown): CreateOrderResult {
  return response as CreateOrderResult;
}

function createAuditEntry(order: Order) {
  const { status, website, packageName, projectId } = order;
  const paidCents = order.chargedCents + order.taxCents;
  return {
    action: 'order.created',
    details: `Order #${order.id} for ${website || packageName}: ${formatUsd(paidCents)} from the wallet.`,
    entityType: 'order',
    entityId: order.id,
    amountCents: paidCents,
    after: { status, website, packageName, projectId },
  };
}

/** Creates the payment of an order. @param to `reserved` if a seller fulfills the order, otherwise revenue */
function createPayment(order: Order, to: LedgerAccount): Transfer {
  return {
    key: `order:${order.id}`,
    kind: 'order',
    from: walletAccount(order.accountId),
    to,
    amountCents: order.chargedCents,
    currency: walletCurrency,
    orderId: order.id,
    actorId: order.accountId,
    method: 'Wallet',
    note: `Order #${order.id}: ${order.website || order.packageName}`,
  };
}
