import { and, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { type InvoiceKind, invoiceCounters, invoiceCursor, invoiceKinds, invoices } from '@/db/schema/invoices';
import type { Transaction } from '@/db/transaction';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { newId } from '@/lib/ids';
import { findSettledPosition } from '@/lib/ledger/roll-up';
import { formatUsd } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { invoiceNumber } from './views';

/** Transfers per transaction. */
const batchSize = 1_000;
/** The time after which a run starts no further batch, in milliseconds. */
const runMs = 5_000;

type IssueOptions = {
  /** When the run ends, in milliseconds since 1970. A run that is cut off continues in the next. */
  endsAt?: number;
  /** The date of issue, for data in the past; by default the database's time. Its year in UTC is part of the number. */
  at?: Date;
};

/**
 * Issues the documents that are missing, for all orders: an invoice for each payment, a credit note for each refund. The
 * numbers follow the order in which the ledger moved the money. One run at a time; a second one returns immediately.
 */
export async function issueInvoices({ endsAt = Date.now() + runMs, at }: IssueOptions = {}) {
  let issued = 0;
  // A transfer that commits after a later one must not be numbered after it.
  const settled = await findSettledPosition(endsAt);
  if (settled === null) return { issued };
  for (let isMore = true; isMore && Date.now() < endsAt; ) {
    const batch = await db().transaction((tx) => issueBatch(tx, settled, at));
    issued += batch.issued;
    isMore = batch.isMore;
  }
  return { issued };
}

/** Reads the next transfers, and issues their documents. The cursor's lock makes runs exclusive. */
async function issueBatch(tx: Transaction, settled: number, at: Date | undefined) {
  await tx.insert(invoiceCursor).values({}).onConflictDoNothing();
  const [cursor] = await tx.select().from(invoiceCursor).for('update', { skipLocked: true });
  if (!cursor || cursor.position >= settled) return { issued: 0, isMore: false };
  await extendStatementTimeout(tx);
  const { count, last, movements } = await readMovements(tx, cursor.position, settled);
  const issued = movements.length === 0 ? 0 : await issueMissing(tx, movements, at ?? (await readClock(tx)));
  const isFull = count === batchSize;
  await tx.update(invoiceCursor).set({ position: isFull && last !== undefined ? last : settled });
  return { issued, isMore: isFull };
}

const transferRows = z.array(
  z.object({
    position: z.coerce.number(),
    key: z.string(),
    kind: z.string(),
    is_reversal: z.boolean(),
    amount_cents: z.coerce.number().int(),
    moved_at: z.coerce.date(),
    order_id: z.int().nullable(),
    buyer_name: z.string().nullable(),
    buyer_email: z.string().nullable(),
  }),
);

/** The document of each kind of transfer that has one. */
export const documentOfTransfer: ReadonlyMap<string, InvoiceKind> = new Map<string, InvoiceKind>([
  ['order', 'invoice'],
  ['order_recharge', 'invoice'],
  ['order_refund', 'credit_note'],
]);

/** Reads the transfers of a batch by their positions. @returns also their number and the last position */
async function readMovements(tx: Transaction, position: number, settled: number) {
  const found = transferRows.parse([
    ...(await tx.execute(sql`
      select t.position, t.key, t.kind, t.reverses_id is not null as is_reversal, t.amount_cents, t.order_id,
        to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as moved_at,
        u.name as buyer_name, u.email as buyer_email
      from (
        select * from ledger.transfers where position > ${position} and position <= ${settled}
        order by position limit ${batchSize}
      ) as t
      left join orders o on o.id = t.order_id left join users u on u.id = o.user_id
      order by t.position`)),
  ]);
  const movements = found.flatMap((row) => {
    const kind = documentOfTransfer.get(row.kind);
    const { order_id, buyer_name, buyer_email } = row;
    if (!kind || row.is_reversal || order_id === null || buyer_name === null || buyer_email === null) return [];
    return [
      {
        ...{ key: row.key, kind, orderId: order_id, amountCents: row.amount_cents, movedAt: row.moved_at },
        ...{ buyerName: buyer_name, buyerEmail: buyer_email },
      },
    ];
  });
  return { count: found.length, last: found.at(-1)?.position, movements };
}

/** A movement of an order's money, which one document records. */
type Movement = Awaited<ReturnType<typeof readMovements>>['movements'][number];

/** Issues the documents of movements, in their order, except those that were issued before. */
async function issueMissing(tx: Transaction, movements: readonly Movement[], issuedAt: Date): Promise<number> {
  const year = issuedAt.getUTCFullYear();
  const keys = movements.map(({ key }) => key);
  const known = await tx
    .select({ key: invoices.movementKey })
    .from(invoices)
    .where(inArray(invoices.movementKey, keys));
  const issuedKeys = new Set(known.map(({ key }) => key));
  const missing = movements.filter(({ key }) => !issuedKeys.has(key));
  if (missing.length === 0) return 0;
  const last = await lockCounters(tx, year);
  const { siteName, postalAddress } = await getBranding(tx);
  const rows = missing.map(({ key, ...movement }) => {
    const number = (last.get(movement.kind) ?? 0) + 1;
    last.set(movement.kind, number);
    return {
      ...movement,
      ...{ id: newId(), year, number, movementKey: key, issuedAt },
      ...{ sellerName: siteName, sellerAddress: postalAddress, taxes: [] },
    };
  });
  await tx.insert(invoices).values(rows);
  for (const kind of invoiceKinds)
    await tx
      .update(invoiceCounters)
      .set({ last: last.get(kind) ?? 0 })
      .where(and(eq(invoiceCounters.kind, kind), eq(invoiceCounters.year, year)));
  await recordAudit(
    tx,
    systemActor(systemActors.invoices, 'job'),
    ...rows.map((row) => ({
      action: row.kind === 'invoice' ? 'invoice.issued' : 'credit_note.issued',
      details: `${invoiceNumber(row)} for ${formatUsd(row.amountCents)} was issued for order #${row.orderId}.`,
      entityType: 'invoice',
      entityId: invoiceNumber(row),
    })),
  );
  return rows.length;
}

/** Locks the counters of a year until the end of the transaction, always in the same order. @returns the last numbers */
async function lockCounters(tx: Transaction, year: number): Promise<Map<InvoiceKind, number>> {
  const last = new Map<InvoiceKind, number>();
  for (const kind of invoiceKinds) {
    const [counter] = await tx
      .insert(invoiceCounters)
      .values({ kind, year, last: 0 })
      .onConflictDoUpdate({
        target: [invoiceCounters.kind, invoiceCounters.year],
        set: { last: sql`${invoiceCounters.last}` },
      })
      .returning({ last: invoiceCounters.last });
    if (!counter) throw new Error('The invoice counter was not locked.');
    last.set(kind, counter.last);
  }
  return last;
}

const clockRow = z.object({ now: z.coerce.date() });

/** Returns the database's time, after the lock: the dates of issue follow the numbers, whichever instance issues. */
async function readClock(tx: Transaction): Promise<Date> {
  const [row] = await tx.execute(
    sql`select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now`,
  );
  return clockRow.parse(row).now;
}
