import { and, eq, inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import {
  type DocumentSeries,
  documentSeries,
  type InvoiceKind,
  invoiceCounters,
  invoiceCursor,
  invoices,
  receipts,
} from '@/db/schema/invoices';
import type { Transaction } from '@/db/transaction';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { newId } from '@/lib/ids';
import { findSettledPosition } from '@/lib/ledger/roll-up';
import { formatUsd } from '@/lib/money';
import { recordAudit } from '@/lib/platform/audit/record';
import { rollUpTax } from '@/lib/tax/document-lines';
import { queueDeliveries } from './delivery/queue';
import { readPayments } from './describe-payment';
import { readDocumentFacts } from './document-facts';
import type { InvoiceRow } from './lines';
import { documentNumber, receiptNumber } from './numbers';

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
 * Issues the documents that are missing: an invoice for each payment of an order, a credit note for each refund, and a
 * receipt for each top-up and manual credit. The numbers follow the order in which the ledger moved the money. One run at
 * a time; a second one returns immediately.
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
    meta: z.unknown(),
    account_id: z.string().nullable(),
  }),
);

/** The document of each kind of transfer of an order that has one. */
export const documentOfTransfer: ReadonlyMap<string, InvoiceKind> = new Map<string, InvoiceKind>([
  ['order', 'invoice'],
  ['order_recharge', 'invoice'],
  ['order_refund', 'credit_note'],
]);
/** The transfers into a wallet that have a receipt. */
const receiptedTransfers: ReadonlySet<string> = new Set(['topup', 'manual_topup']);

/** Reads the transfers of a batch by their positions. @returns also their number and the last position */
async function readMovements(tx: Transaction, position: number, settled: number) {
  const found = transferRows.parse([
    ...(await tx.execute(sql`
      select t.position, t.key, t.kind, t.reverses_id is not null as is_reversal, t.amount_cents, t.order_id,
        to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as moved_at,
        t.meta, coalesce(o.account_id, g.owner) as account_id
      from (
        select * from ledger.transfers where position > ${position} and position <= ${settled}
        order by position limit ${batchSize}
      ) as t
      left join orders o on o.id = t.order_id
      left join ledger.accounts g on g.id = t.to_account and g.kind = 'wallet'
      order by t.position`)),
  ]);
  const movements = found.flatMap((row): Movement[] => {
    const { key, order_id: orderId, meta, account_id: accountId, amount_cents: amountCents } = row;
    if (row.is_reversal || accountId === null) return [];
    const moved = { key, accountId, amountCents, movedAt: row.moved_at };
    const kind = documentOfTransfer.get(row.kind);
    if (kind) return orderId === null ? [] : [{ ...moved, kind, orderId }];
    return receiptedTransfers.has(row.kind) ? [{ ...moved, kind: 'receipt', meta }] : [];
  });
  return { count: found.length, last: found.at(-1)?.position, movements };
}

type Moved = { key: string; accountId: string; amountCents: number; movedAt: Date };
type OrderMovement = Moved & { kind: InvoiceKind; orderId: number };
type CreditMovement = Moved & { kind: 'receipt'; meta: unknown };
/** A movement of money, which one document records. */
type Movement = OrderMovement | CreditMovement;

type Issue = { year: number; issuedAt: Date; allocate: (kind: DocumentSeries) => number };

/** Issues the documents of movements, in their order, except those that were issued before. */
async function issueMissing(tx: Transaction, movements: readonly Movement[], issuedAt: Date): Promise<number> {
  const year = issuedAt.getUTCFullYear();
  const keys = movements.map(({ key }) => key);
  const known = await Promise.all(
    [invoices, receipts].map((table) =>
      tx.select({ key: table.movementKey }).from(table).where(inArray(table.movementKey, keys)),
    ),
  );
  const issuedKeys = new Set(known.flat().map(({ key }) => key));
  const missing = movements.filter(({ key }) => !issuedKeys.has(key));
  if (missing.length === 0) return 0;
  const last = await lockCounters(tx, year);
  const allocate = (kind: DocumentSeries) => {
    const number = (last.get(kind) ?? 0) + 1;
    last.set(kind, number);
    return number;
  };
  const ofOrders = missing.flatMap((movement) => (movement.kind === 'receipt' ? [] : [movement]));
  const credits = missing.flatMap((movement) => (movement.kind === 'receipt' ? [movement] : []));
  const facts = await readDocumentFacts(tx, {
    keys: ofOrders.map(({ key }) => key),
    accountIds: [...new Set(missing.map(({ accountId }) => accountId))],
    refundedOrders: [...new Set(ofOrders.flatMap(({ kind, orderId }) => (kind === 'credit_note' ? [orderId] : [])))],
  });
  const issue = { year, issuedAt, allocate };
  const invoiceRows = await buildInvoices(ofOrders, facts, issue);
  const receiptRows = await buildReceipts(tx, credits, facts, issue);
  if (invoiceRows.length > 0) {
    await tx.insert(invoices).values(invoiceRows);
    await rollUpTax(
      tx,
      invoiceRows.map(({ id }) => id),
    );
  }
  await queueDeliveries(tx, invoiceRows);
  if (receiptRows.length > 0) await tx.insert(receipts).values(receiptRows);
  for (const kind of documentSeries)
    await tx
      .update(invoiceCounters)
      .set({ last: last.get(kind) ?? 0 })
      .where(and(eq(invoiceCounters.kind, kind), eq(invoiceCounters.year, year)));
  await recordAudit(
    tx,
    systemActor(systemActors.invoices, 'job'),
    ...invoiceRows.map((row) => ({
      action: row.kind === 'invoice' ? 'invoice.issued' : 'credit_note.issued',
      details: `${documentNumber(row)} for ${formatUsd(row.amountCents + row.taxCents)} was issued for order #${row.orderId}.`,
      entityType: 'invoice',
      entityId: documentNumber(row),
    })),
    ...receiptRows.map((row) => ({
      action: 'receipt.issued',
      details: `${receiptNumber(row)} for ${formatUsd(row.amountCents)} was issued.`,
      entityType: 'receipt',
      entityId: receiptNumber(row),
    })),
  );
  return missing.length;
}

type Facts = Awaited<ReturnType<typeof readDocumentFacts>>;

/** Builds invoices and credit notes. A credit note copies what the invoices before it have. */
async function buildInvoices(movements: readonly OrderMovement[], facts: Facts, issue: Issue): Promise<InvoiceRow[]> {
  const { year, issuedAt, allocate } = issue;
  const ofOrder = new Map<number, InvoiceRow[]>();
  for (const row of facts.issued) ofOrder.set(row.orderId, [...(ofOrder.get(row.orderId) ?? []), row]);
  const built: InvoiceRow[] = [];
  for (const movement of movements) {
    const { key, kind, orderId, accountId, amountCents, movedAt } = movement;
    const earlier = ofOrder.get(orderId) ?? [];
    const row: InvoiceRow = {
      ...{ id: newId(), kind, year, number: allocate(kind), accountId, orderId, movementKey: key },
      ...{ amountCents, movedAt, issuedAt },
      ...(await (kind === 'invoice' ? facts.ofCharge(movement) : facts.ofRefund(movement, earlier))),
    };
    ofOrder.set(orderId, [...earlier, row]);
    built.push(row);
  }
  return built;
}

/** Builds the receipts of credits. */
async function buildReceipts(tx: Transaction, credits: readonly CreditMovement[], facts: Facts, issue: Issue) {
  const { year, issuedAt, allocate } = issue;
  const describePayment = await readPayments(tx, credits);
  const built: (typeof receipts.$inferInsert & { year: number; number: number })[] = [];
  for (const { key, accountId, meta, amountCents, movedAt } of credits)
    built.push({
      ...{
        id: newId(),
        year,
        number: allocate('receipt'),
        accountId,
        movementKey: key,
        amountCents,
        movedAt,
        issuedAt,
      },
      ...{ seller: facts.identity, buyer: facts.getBuyer(accountId) },
      ...describePayment({ meta, amountCents }),
    });
  return built;
}

/** Locks the counters of a year until the end of the transaction, always in the same order. @returns the last numbers */
async function lockCounters(tx: Transaction, year: number): Promise<Map<DocumentSeries, number>> {
  const last = new Map<DocumentSeries, number>();
  for (const kind of documentSeries) {
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
