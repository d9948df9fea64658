import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { prepared } from '@/db/prepared';
import type { RequestReason } from '@/db/schema/order-requests';
import { checkouts, type orders } from '@/db/schema/orders';
import { seesRow } from '@/lib/access/account-roles';
import { lockAccount } from '@/lib/access/accounts';
import type { AccountScope, Actor, AnyActor } from '@/lib/access/actor';
import { requireMember } from '@/lib/accounts/require-member';
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
import { composeMails, insertMails } from '@/lib/mail/compose';
import { listMailRecipients } from '@/lib/mail/recipients';
import { formatUsd, walletCurrency } from '@/lib/money';
import { insertNotices } from '@/lib/notifications/notifications';
import { attachArticles } from '@/lib/orders/briefs/articles';
import { type Brief, resolveBrief } from '@/lib/orders/briefs/schemas';
import { type BriefRow, type OrderView, orderView } from '@/lib/orders/contract';
import { listOfferMails, listOfferNotices } from '@/lib/orders/notices/notify';
import { newOrderMail } from '@/lib/orders/notices/order-notices';
import { orderedEvents } from '@/lib/orders/notices/webhook-events';
import { insertOptions, listOrderOptions } from '@/lib/orders/options/order-options';
import { InsufficientFunds, toInsufficientFunds, withTopUpUrl } from '@/lib/orders/shortage';
import { holdOrder } from '@/lib/orders/spending/hold';
import { requireSpend } from '@/lib/orders/spending/require-spend';
import { postOrderTransfers } from '@/lib/orders/tax/post-order-transfers';
import { recordAudit } from '@/lib/platform/audit/record';
import { keepProject } from '@/lib/projects/projects';
import { toBranding } from '@/lib/settings/branding/get-branding';
import { parsePlacementRules } from '@/lib/settings/placement-rules';
import { type SettingRows, selectSettings } from '@/lib/settings/settings';
import { createPlacements, recordOffers } from './create-placements';
import { lockAndRequireNew } from './duplicates';
import { insertOrders } from './insert-orders';
import { type Buyer, getOrderContext, type OrderContext, type OrderPlan, planOrder } from './plan';
import type { CreateOrderInput, OrderWarning } from './schemas';

type Order = typeof orders.$inferSelect;
export type CreateOrderResult = {
  orders: OrderView[];
  warnings?: OrderWarning[];
  /** The request that waits for an approval instead of orders, which are none then. */
  requestId?: string;
};

type OrderOptions = {
  /** Called with what would be ordered; throws to refuse it. It is not called for a repeat. */
  review?: (plan: OrderPlan) => void;
  /** What a repeat must equal. Default: the input without the total that the buyer saw. */
  request?: unknown;
  /**
   * Called in the transaction before the orders or their request are created; throws to refuse them. It is not called for
   * a repeat.
   */
  prepare?: (tx: Executor) => Promise<unknown>;
  /** Called in the transaction after the orders were created, or their request with its id. */
  finish?: (tx: Executor, requestId?: string) => Promise<void>;
  /** The orders are those of a request, which was approved: limits do not hold them. */
  approval?: {
    /** Called in the transaction with the orders, before they are paid. */
    record: (tx: Executor, checkoutId: string, created: readonly Order[]) => Promise<void>;
  };
};

/** For whom orders are placed, and who is named as the buyer to staff. */
type NamedBuyer = Buyer & Pick<Actor, 'name' | 'email'>;

/** Thrown inside a transaction when a limit was set since the order was planned without one. */
class LimitsChanged extends Error {}

/**
 * Orders a package, or one order for each selected site, and pays for all of them from the wallet: all or nothing, in
 * one transaction. Above a limit of the account, a request with all of them waits for an approval instead. The transfers are posted last, so that the wallet is locked for the shortest time
 * (docs/internals/ledger.md).
 * @param idempotencyKey a repeat with the same key and request returns the first answer and orders nothing
 * @throws AppError not_found for a project of another user and for an article that the actor did not upload;
 * invalid_input for an invalid brief; forbidden beyond the daily limit of the actor's API token
 * @throws AppError insufficient_funds with `url` opening the top-up with the missing amount; billing_incomplete while tax is
 * on and the buyer has no country; policy for what the policy of the account does not allow, with the sites as fields
 * @throws AppError conflict when an item is no longer on sale or costs more than the price shown to the buyer, or when the
 * key was used for another request; duplicate_site with `rejectDuplicates`
 */
export async function createOrder(
  actor: Actor,
  input: CreateOrderInput,
  idempotencyKey: string | null = null,
  options: OrderOptions = {},
): Promise<CreateOrderResult> {
  return withTopUpUrl(actor, () => placeOrder(actor, actor, input, idempotencyKey, options));
}

/**
 * Orders on behalf of a buyer, as `createOrder` does.
 * @param actor who orders or approves, for the audit log; the daily limit of this one's API token applies
 * @throws InsufficientFunds, and as `createOrder`
 */
export async function placeOrder(
  actor: AnyActor,
  buyer: NamedBuyer,
  input: CreateOrderInput,
  idempotencyKey: string | null,
  options: OrderOptions,
): Promise<CreateOrderResult> {
  const place = () =>
    db().transaction(async (tx) => {
      const context = await getOrderContext(buyer, input, tx);
      return createOrderIn(tx, { by: actor, buyer }, input, idempotencyKey, { context, ...options });
    });
  return place().catch((thrown: unknown) => {
    // With the limit, the second one waits for the lock of the account and decides under it.
    if (thrown instanceof LimitsChanged) return place();
    throw thrown;
  });
}

async function createOrderIn(
  tx: Executor,
  { by, buyer }: { by: AnyActor; buyer: NamedBuyer },
  input: CreateOrderInput,
  idempotencyKey: string | null,
  {
    context,
    review,
    request = withoutShownTotal(input),
    prepare,
    finish,
    approval,
  }: OrderOptions & { context: OrderContext },
): Promise<CreateOrderResult> {
  const { accountId } = buyer;
  const requestHash = hashRequest(request);
  let plan: OrderPlan | undefined;
  let refusal: unknown;
  try {
    const possible = planOrder(context, buyer, input);
    review?.(possible);
    if (!possible.isLimited && !approval) requireFunds(possible);
    plan = possible;
  } catch (thrown) {
    refusal = thrown;
  }
  const isLimited = plan !== undefined && (plan.isLimited || approval !== undefined);
  // Before the checkout, whose foreign key locks the account as well: `lockSpending` waits for both.
  if (isLimited) await lockAccount(tx, accountId);
  // The limit of who left meanwhile left as well.
  if (isLimited && !approval && by.userId !== null) await requireMember(tx, by, accountId, 'account:orders');
  const checkoutId = newId();
  const insertCheckout = () =>
    checkoutStatement(tx).execute({
      ...{ id: checkoutId, accountId, idempotencyKey, requestHash },
      totalCents: plan?.totalCents ?? 0,
    });
  const rejectsDuplicates = input.kind === 'custom' && input.rejectDuplicates === true;
  // With a key first, before any refusal: a concurrent request with the same key waits here until this transaction ends.
  // Before the lock of the project also without one, because `lockSpending` locks the account before the project.
  const isFirst = idempotencyKey !== null || rejectsDuplicates;
  if (isFirst && (await insertCheckout()).length === 0 && idempotencyKey !== null) {
    return replayResult(tx, buyer, idempotencyKey, requestHash);
  }
  if (!plan) throw refusal;
  const { project, staff, items, placements: planned, options: chosen, warnings, tax, totalCents } = plan;
  if (input.kind === 'custom' && rejectsDuplicates) await lockAndRequireNew(tx, project, input.siteIds);
  // The order may become a request, which a deletion of the project must find. Before the cart, as the deletion locks them.
  if (isLimited && !approval) await keepProject(tx, project.id);
  await prepare?.(tx);
  const reasons = isLimited ? await requireAllowed(tx, buyer, plan, { isApproved: approval !== undefined }) : [];
  if (reasons.length > 0) {
    const requestId = await holdOrder(tx, by, buyer, {
      ...{ project, reasons, lines: items, body: withoutShownTotal(input), articles: listArticles(plan) },
    });
    await finish?.(tx, requestId);
    const held = { orders: [], ...(warnings.length > 0 && { warnings }), requestId };
    if (idempotencyKey !== null)
      await tx.update(checkouts).set({ answer: held, totalCents: 0 }).where(eq(checkouts.id, checkoutId));
    else if (isFirst) await tx.delete(checkouts).where(eq(checkouts.id, checkoutId));
    return held;
  }

  const briefed = resolveBriefs(plan);
  const fileNames = await attachArticles(tx, buyer, listArticles(plan));
  // Statements of one Promise.all are sent together and executed in its order.
  const [, created, settings] = await Promise.all([
    !isFirst && insertCheckout(),
    insertOrders(tx, buyer, { checkoutId, kind: input.kind, plan, items: briefed }),
    planned.size > 0 || staff.length > 0 ? selectSettings(tx) : noSettings,
  ]);
  // A transaction that sets a limit waits for the checkout above, or the checkout waited and the statement after it sees the limit.
  if (!isLimited && created.some((order) => order.isLimited)) throw new LimitsChanged();
  const [offered, recipients] = await Promise.all([
    createPlacements(tx, created, planned, parsePlacementRules(settings)),
    listMailRecipients(tx, [...new Set([...planned.values()].map(({ sellerId }) => sellerId))]),
  ]);
  const options = listOrderOptions(created, chosen);
  const response = {
    orders: created.map((order, index) =>
      orderView({
        ...order,
        contentFileName: null,
        placement: offered.get(order.id) ?? null,
        brief: viewBrief(briefed[index]?.brief, fileNames),
        options: options.filter(({ orderId }) => orderId === order.id),
      }),
    ),
    ...(warnings.length > 0 && { warnings }),
  };
  const offers = created.flatMap((order) => {
    const placement = offered.get(order.id);
    return placement ? [{ order, placement }] : [];
  });
  const pay = async () => {
    await finish?.(tx);
    if (by.userId !== null) await spendByToken(tx, by, totalCents);
    await approval?.record(tx, checkoutId, created);
    // The transfers last, because they lock the wallet.
    await Promise.all([
      recordAudit(tx, by, ...created.map((order) => createAuditEntry(order, approval && (buyer.name || buyer.email)))),
      recordEvents(tx, orderedEvents(created, offered)),
      idempotencyKey !== null && storeAnswer(tx).execute({ checkoutId, answer: JSON.stringify(response) }),
      postOrderTransfers(
        tx,
        created.map((order) => createPayment(order, offered.has(order.id) ? reservedAccount : revenueAccount)),
        tax,
      ).catch((thrown: unknown) => {
        throw toInsufficientFunds(thrown, totalCents);
      }),
    ]);
  };
  const mails = [newOrderMail(created, buyer, staff), ...listOfferMails(offers, recipients)];
  const composed = await composeMails(toBranding(settings), mails);
  await Promise.all([
    insertOptions(tx, options),
    recordOffers(tx, buyer, offered.keys()),
    insertNotices(tx, listOfferNotices(offers)),
    insertMails(tx, composed),
    pay(),
  ]);
  return response;
}

/** Returns the brief of a new order. */
const viewBrief = (brief: Brief | undefined, fileNames: ReadonlyMap<string, string>): BriefRow | null =>
  brief ? { ...brief, version: 1, articleFileName: fileNames.get(brief.articleId ?? '') ?? null } : null;

/** For an order without a seller and without a mail, which depends on none. */
const noSettings: SettingRows = new Map();

const checkoutStatement = prepared((on) =>
  on
    .insert(checkouts)
    .values({
      id: sql.placeholder('id'),
      accountId: sql.placeholder('accountId'),
      idempotencyKey: sql.placeholder('idempotencyKey'),
      requestHash: sql.placeholder('requestHash'),
      totalCents: sql.placeholder('totalCents'),
    })
    .onConflictDoNothing()
    .returning({ id: checkouts.id })
    .prepare('checkout'),
);

const storeAnswer = prepared((on) =>
  on
    .update(checkouts)
    .set({ answer: sql`${sql.placeholder('answer')}::text::jsonb` })
    .where(eq(checkouts.id, sql.placeholder('checkoutId')))
    .prepare('store_answer'),
);

const withoutShownTotal = ({ shownTotalCents: _, ...request }: CreateOrderInput) => request;

const hashRequest = (request: unknown): string => createHash('sha256').update(JSON.stringify(request)).digest('hex');

/**
 * Returns the first answer of a request to order, null for one that ordered nothing yet.
 * @throws AppError conflict when the key was used for another request
 */
export async function findOrderAnswer(
  actor: Actor,
  idempotencyKey: string,
  request: unknown,
): Promise<CreateOrderResult | null> {
  const [known] = await db()
    .select({ id: checkouts.id })
    .from(checkouts)
    .where(and(eq(checkouts.accountId, actor.accountId), eq(checkouts.idempotencyKey, idempotencyKey)));
  return known ? replayResult(db(), actor, idempotencyKey, hashRequest(request)) : null;
}

/** Rejects early to save order numbers. The ledger checks the balance again under the wallet's lock. */
function requireFunds({ totalCents, balanceCents }: OrderPlan): void {
  if (totalCents > (balanceCents ?? 0)) throw new InsufficientFunds(totalCents);
}

/**
 * Decides under the lock of the account whether the orders may be paid.
 * @returns why they need an approval; none if they do not
 * @throws InsufficientFunds, and AppError policy
 */
const requireAllowed = (
  tx: Executor,
  { accountId, userId: memberId }: Buyer,
  plan: OrderPlan,
  { isApproved }: { isApproved: boolean },
): Promise<RequestReason[]> => {
  const { project, totalCents } = plan;
  const items = resolveBriefs(plan).map(({ siteId, brief }) => ({ siteId, rel: brief.rel }));
  return requireSpend(tx, { accountId, memberId, projectId: project.id }, { totalCents, items, isApproved });
};

/** Returns the items with their briefs. */
const resolveBriefs = ({ items, briefs: { brief, briefs = {} }, project }: OrderPlan) =>
  items.map((item) => ({ ...item, brief: resolveBrief(project.targetUrl, brief, briefs[item.siteId ?? 0]) }));

/** Lists the articles that the briefs name, with the field of each. */
function listArticles(plan: OrderPlan): Map<string, string> {
  const { briefs = {} } = plan.briefs;
  return new Map(
    resolveBriefs(plan).flatMap(({ siteId, brief: { articleId } }) => {
      const isOwn = briefs[siteId ?? 0]?.articleId === articleId;
      return articleId === null ? [] : [[articleId, isOwn ? `briefs.${siteId}.articleId` : 'brief.articleId'] as const];
    }),
  );
}

/**
 * Returns the earlier result of a key, which can be of another member.
 * @throws AppError conflict when the key was used for another request; not_found for orders of a project that the member
 * does not see
 */
async function replayResult(
  tx: Executor,
  scope: AccountScope,
  idempotencyKey: string,
  requestHash: string,
): Promise<CreateOrderResult> {
  const [first] = await tx
    .select({ requestHash: checkouts.requestHash, answer: checkouts.answer })
    .from(checkouts)
    .where(and(eq(checkouts.accountId, scope.accountId), eq(checkouts.idempotencyKey, idempotencyKey)));
  if (!first?.answer || first.requestHash !== requestHash) {
    const message = 'This Idempotency-Key was already used for another order.';
    throw new AppError('conflict', message, { fields: { idempotencyKey: message } });
  }
  const result = asStoredResult(first.answer);
  const isSeen = result.orders.every(({ projectId }) => seesRow(scope, { accountId: scope.accountId, projectId }));
  if (!isSeen) throw new AppError('not_found', 'This order is of a project that you do not see.');
  return result;
}

/** Asserts the column's type. Only `createOrder` writes this column. */
function asStoredResult(response: unknown): CreateOrderResult {
  return response as CreateOrderResult;
}

/** @param requestedBy the name of the requester of an order that was approved */
function createAuditEntry(order: Order, requestedBy: string | undefined) {
  const { status, website, packageName, projectId } = order;
  const paidCents = order.chargedCents + order.taxCents;
  return {
    action: 'order.created',
    details: `Order #${order.id} for ${website || packageName}: ${formatUsd(paidCents)} from the wallet.`,
    entityType: 'order',
    entityId: order.id,
    amountCents: paidCents,
    after: { status, website, packageName, projectId, ...(requestedBy !== undefined && { requestedBy }) },
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
