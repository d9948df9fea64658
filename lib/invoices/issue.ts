import { and, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '../../db/client';
import { type InvoiceKind, invoiceCounters, invoices } from '../../db/schema/invoices';
import { orders } from '../../db/schema/orders';
import type { Actor } from '../access/actor';
import { newId } from '../ids';
import { formatMoney, walletCurrency } from '../money';
import { getOrder, orderNotFoundError } from '../orders/queries';
import { recordAudit } from '../platform/audit/record';
import { getBranding } from '../settings/branding/get-branding';
import { type InvoiceRow, type InvoiceView, invoiceNumber, invoiceViews } from './views';

/**
 * Issues the documents of an order of the actor, in the order of its money movements: an invoice for each payment, a
 * credit note for each refund. A document gets its number when it is first requested and keeps it.
 * @param at the time of issue; its year in UTC is part of the number
 * @throws AppError not_found, also for an order of another user
 */
export async function issueInvoices(actor: Actor, orderId: number, at = new Date()): Promise<InvoiceRow[]> {
  const order = await getOwnOrder(db(), actor, orderId);
  const issued = await readIssued(orderId, db());
  const movements = await listMovements(order, db());
  if (movements.every(({ key }) => issued.has(key))) return orderByMovement(movements, issued);
  return db().transaction(async (tx) => {
    const locked = await getOwnOrder(tx, actor, orderId, 'lock');
    const known = await readIssued(orderId, tx);
    const moved = await listMovements(locked, tx);
    const { siteName, postalAddress } = await getBranding(tx);
    for (const movement of findMissing(moved, known)) {
      const year = at.getUTCFullYear();
      const [row] = await tx
        .insert(invoices)
        .values({
          id: newId(),
          kind: movement.kind,
          year,
          number: await allocateNumber(tx, movement.kind, year),
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
        details: `${invoiceNumber(row)} for ${formatMoney(row.amountCents, walletCurrency)} was issued for order #${orderId}.`,
        entityType: 'invoice',
        entityId: invoiceNumber(row),
      });
    }
    return orderByMovement(moved, known);
  });
}

/** Reads an order of the actor. Locking it serializes concurrent requests for its first document. */
async function getOwnOrder(
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
  if (!order) throw orderNotFoundError(id);
  return order;
}

async function allocateNumber(tx: Executor, kind: InvoiceKind, year: number): Promise<number> {
  const [counter] = await tx
    .insert(invoiceCounters)
    .values({ kind, year, last: 1 })
    .onConflictDoUpdate({
      target: [invoiceCounters.kind, invoiceCounters.year],
      set: { last: sql`${invoiceCounters.last} + 1` },
    })
    .returning({ last: invoiceCounters.last });
  if (!counter) throw new Error('The invoice counter was not incremented.');
  return counter.last;
}

/** Lists the missing documents, invoices before credit notes. The fixed order of the counters prevents deadlocks. */
function findMissing(movements: Movement[], issued: Map<string, InvoiceRow>): Movement[] {
  const wanted = movements.filter(({ key }) => !issued.has(key));
  return [...wanted.filter(({ kind }) => kind === 'invoice'), ...wanted.filter(({ kind }) => kind !== 'invoice')];
}

function orderByMovement(movements: Movement[], issued: Map<string, InvoiceRow>): InvoiceRow[] {
  return movements.flatMap(({ key }) => issued.get(key) ?? []);
}

/** Reads the documents issued for an order, by the key of their movement. */
async function readIssued(orderId: number, executor: Executor): Promise<Map<string, InvoiceRow>> {
  const found = await executor.select().from(invoices).where(eq(invoices.orderId, orderId));
  return new Map(found.map((row) => [row.movementKey, row]));
}

/** A movement of an order's money, which one document records. */
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
 * Lists the movements of an order's money in the ledger, in chronological order. An order that cost nothing has no
 * transfer but still gets an invoice.
 */
async function listMovements(order: { id: number; createdAt: Date }, executor: Executor): Promise<Movement[]> {
  // One side of these kinds is always the buyer's wallet, whose version orders its transfers.
  const found = await executor.execute(sql`
    select key, kind, amount_cents,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as moved_at
    from ledger.transfers
    where order_id = ${order.id} and reverses_id is null and kind in ('order', 'order_refund', 'order_recharge')
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
 * Returns the documents of an order of the actor, for its page.
 * @throws AppError not_found, also for an order of another user
 */
export async function readInvoices(actor: Actor, orderId: number): Promise<InvoiceView[]> {
  const order = await getOrder(actor, orderId);
  return invoiceViews(order, await issueInvoices(actor, orderId));
}
