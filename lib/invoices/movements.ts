import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '../../db/client';
import type { InvoiceKind } from '../../db/schema/invoices';

/** Money of an order that moved once: what a document tells about. */
export type Movement = { key: string; kind: InvoiceKind; amountCents: number; movedAt: Date };

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
export async function movementsOf(order: { id: number; createdAt: Date }, executor: Executor): Promise<Movement[]> {
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
