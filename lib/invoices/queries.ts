import { setTimeout as wait } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { type InvoiceKind, invoices } from '@/db/schema/invoices';
import type { Actor } from '@/lib/access/actor';
import { getOrder } from '@/lib/orders/order/queries';
import { orderNotFoundError } from '@/lib/orders/placements/lock';
import { type DocumentDelivery, listDeliveriesOf } from './delivery/queries';
import { readsDocumentsOf } from './document-scope';
import { documentOfTransfer, issueInvoices } from './issue';
import type { InvoiceRow } from './lines';
import { type InvoiceView, invoiceViews } from './views';

/** The time for which a reader waits for documents that are not issued yet, and the interval between two looks. */
const waitMs = 3_000;
const pollMs = 100;

export type OrderInvoices = {
  /** In the order of the money: the invoice first, a credit note for each refund after it. */
  invoices: InvoiceView[];
  /** The document of the first movement of the order's money that has none yet; null if all have theirs. */
  pending: InvoiceKind | null;
  /** How documents were sent in structured form, by their number. */
  deliveries: Readonly<Record<string, DocumentDelivery[]>>;
};

/**
 * Returns the documents of an order of the actor. What the job has not issued yet is issued now; with many orders before
 * this one, as after an update, the answer is incomplete.
 * @throws AppError not_found, also for an order of another user, and of a colleague whose documents the actor does not read
 */
export async function listInvoices(actor: Actor, orderId: number): Promise<OrderInvoices> {
  const order = await getOrder(actor, orderId);
  if (!readsDocumentsOf(actor, order)) throw orderNotFoundError(orderId);
  const endsAt = Date.now() + waitMs;
  let found = await readIssued(orderId);
  while (found.pending && Date.now() < endsAt) {
    await issueInvoices({ endsAt });
    found = await readIssued(orderId);
    // Another instance issues at this moment, or the transaction of an earlier payment is open.
    if (found.pending) await wait(pollMs);
  }
  const deliveries = await listDeliveriesOf(found.rows);
  return { invoices: invoiceViews(order, found.rows), pending: found.pending, deliveries };
}

const movementRows = z.array(z.object({ key: z.string(), kind: z.string() }));

/** Reads the documents of an order, in the order of the movements. */
export async function readIssued(orderId: number): Promise<{ rows: InvoiceRow[]; pending: InvoiceKind | null }> {
  // One side of these kinds is always the buyer's wallet, whose version orders its transfers.
  const moved = await db().execute(sql`
    select key, kind from ledger.transfers
    where order_id = ${orderId} and reverses_id is null and kind in ('order', 'order_refund', 'order_recharge')
    order by coalesce(from_version, to_version)`);
  const movements = movementRows.parse([...moved]);
  const keys = movements.map(({ key }) => key);
  const issued = await db().select().from(invoices).where(eq(invoices.orderId, orderId));
  const byKey = new Map(issued.map((row) => [row.movementKey, row]));
  const rows = keys.flatMap((key) => byKey.get(key) ?? []);
  const missing = movements.find(({ key }) => !byKey.has(key));
  return {
    rows,
    pending: missing ? (documentOfTransfer.get(missing.kind) ?? null) : null,
  };
}
