import { and, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '../../db/client';
import { type InvoiceKind, invoiceCounters, invoices } from '../../db/schema/invoices';
import { orders } from '../../db/schema/orders';
import type { Actor } from '../access/actor';
import { newId } from '../ids';
import { formatMoney, walletCurrency } from '../money';
import { getOrder, orderNotFound } from '../orders/queries';
import { recordAudit } from '../platform/audit/record';
import { getBranding } from '../settings/branding/get-branding';
import { type InvoiceRow, type InvoiceView, invoiceNumber, invoiceViews } from './views';

/**
 * The documents of an order of the actor's own, in the order its money moved: an invoice for what the wallet paid, a
 * credit note for each refund. One that nobody has asked for yet gets its number now and keeps it.
 * @param at the moment of issue, whose year in UTC the number belongs to
 * @throws AppError not_found, for another person's order too
 */
export async function issueInvoices(actor: Actor, orderId: number, at = new Date()): Promise<InvoiceRow[]> {
  const order = await ownOrder(db(), actor, orderId);
  const issued = await invoicesOf(orderId, db());
  const movements = await movementsOf(order, db());
  if (movements.every(({ key }) => issued.has(key))) return inOrder(movements, issued);
  return db().transaction(async (tx) => {
    const locked = await ownOrder(tx, actor, orderId, 'lock');
    const known = await invoicesOf(orderId, tx);
    const moved = await movementsOf(locked, tx);
    const { siteName, postalAddress } = await getBranding(tx);
    for (const movement of missing(moved, known)) {
      const year = at.getUTCFullYear();
      const [row] = await tx
        .insert(invoices)
        .values({
          id: newId(),
          kind: movement.kind,
          year,
          number: await nextNumber(tx, movement.kind, year),
          orderId,
          movementKey: movement.key,
          amountCents: movement.amountCents,
          movedAt: movement.movedAt,
          sellerName: siteName,
          sellerAddress: postalAddress,
          buyerName: actor.name,
          buyerEmail: actor.email,
          issuedAt: at,
        })
        .returning();
      if (!row) throw new Error('The invoice was not inserted.');
      known.set(movement.key, row);
      await recordAudit(tx, actor, {
        action: movement.kind === 'invoice' ? 'invoice.issued' : 'credit_note.issued',
        details: `${invoiceNumber(row)} over ${formatMoney(row.amountCents, walletCurrency)} was issued for order #${orderId}.`,
        entityType: 'invoice',
        entityId: invoiceNumber(row),
      });
    }
    return inOrder(moved, known);
  });
}

/** Two who ask for the same order's first document queue at its row; the second finds what the first issued. */
async function ownOrder(
  executor: Executor,
  actor: Actor,
  id: number,
  lock?: 'lock',
): Promise<{ id: number; createdAt: Date }> {
  const own = executor
    .select({ id: orders.id, createdAt: orders.createdAt })
    .from(orders)
    .where(and(eq(orders.id, id), eq(orders.userId, actor.userId), isNull(orders.deletedAt)));
  const [order] = await (lock ? own.for('no key update') : own);
  if (!order) throw orderNotFound(id);
  return order;
}

async function nextNumber(tx: Executor, kind: InvoiceKind, year: number): Promise<number> {
  const [counter] = await tx
    .insert(invoiceCounters)
    .values({ kind, year, last: 1 })
    .onConflictDoUpdate({
      target: [invoiceCounters.kind, invoiceCounters.year],
      set: { last: sql`${invoiceCounters.last} + 1` },
    })
    .returning({ last: invoiceCounters.last });
  if (!counter) throw new Error('The counter of invoices was not raised.');
  return counter.last;
}

/** Invoices before credit notes: whoever needs both counters takes them in this order, so that nobody waits in a circle. */
function missing(movements: Movement[], issued: Map<string, InvoiceRow>): Movement[] {
  const wanted = movements.filter(({ key }) => !issued.has(key));
  return [...wanted.filter(({ kind }) => kind === 'invoice'), ...wanted.filter(({ kind }) => kind !== 'invoice')];
}

function inOrder(movements: Movement[], issued: Map<string, InvoiceRow>): InvoiceRow[] {
  return movements.flatMap(({ key }) => issued.get(key) ?? []);
}

/** The documents issued for an order, by the key of what each tells about. */
async function invoicesOf(orderId: number, executor: Executor): Promise<Map<string, InvoiceRow>> {
  const found = await executor.select().from(invoices).where(eq(invoices.orderId, orderId));
  return new Map(found.map((row) => [row.movementKey, row]));
}

/** Money of an order that moved once: what a document tells about. */
type Movement = { key: string; kind: InvoiceKind; amountCents: number; movedAt: Date };

const rows = z.array(
  z.object({
    key: z.string(),
    kind: z.enum(['order', 'order_refund', 'order_recharge']),
    amount_cents: z.coerce.number().int(),
    moved_at: z.coerce.date(),
  }),
);

/**
 * Every time an order's money moved, by the books, in the order it did. An order that cost nothing moved none; it is
 * billed all the same.
 */
async function movementsOf(order: { id: number; createdAt: Date }, executor: Executor): Promise<Movement[]> {
  // One side is always the buyer's wallet, whose versions count its transfers.
  const found = await executor.execute(sql`
    select key, kind, amount_cents,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as moved_at
    from ledger.transfers
    where order_id = ${order.id} and reverses_id is null
    order by coalesce(from_version, to_version)`);
  const moved = rows.parse(found).map(
    ({ key, kind, amount_cents, moved_at }): Movement => ({
      key,
      kind: kind === 'order_refund' ? 'credit_note' : 'invoice',
      amountCents: amount_cents,
      movedAt: moved_at,
    }),
  );
  if (moved.some(({ kind }) => kind === 'invoice')) return moved;
  return [{ key: `order:${order.id}`, kind: 'invoice', amountCents: 0, movedAt: order.createdAt }, ...moved];
}

/**
 * The documents of an order of the actor's own, for its page.
 * @throws AppError not_found, for another person's order too
 */
export async function readInvoices(actor: Actor, orderId: number): Promise<InvoiceView[]> {
  const order = await getOrder(actor, orderId);
  return invoiceViews(order, await issueInvoices(actor, orderId));
}
