import { asc, inArray } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { invoices, receipts } from '@/db/schema/invoices';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { readBilledOrders } from '@/lib/orders/order/queries';
import { hasReadableDocuments } from './document-scope';
import type { FoundDocument } from './find-document';
import { assignCredits, type InvoiceRow } from './lines';
import { type BuyerDocument, readMonth } from './list-documents';
import { documentNumber } from './numbers';
import { toInvoiceModel } from './to-invoice-model';

/** A document of a month with its content. */
export type MonthDocument = {
  /** "INV-2026-000012". */
  number: string;
  issuedAt: Date;
  document: FoundDocument;
  /** The numbers of the credit notes of an invoice, or of the invoices of a credit note. */
  counterparts: string[];
};

/** An archive has two files for each document, and at most 65,535. */
const maxDocuments = 30_000;
/** Read and written within some 100 milliseconds. */
const batchSize = 50;

/**
 * Lists the documents of a buyer that were issued in a month (YYYY-MM in UTC), in the order of issue.
 * @throws AppError too_large for more than 30,000
 */
export async function listMonth(actor: Actor, month: string, on: Database): Promise<BuyerDocument[]> {
  const listed = await readMonth(on, actor, { month, limit: maxDocuments + 1 });
  if (listed.length > maxDocuments)
    throw new AppError(
      'too_large',
      `${month} has more than ${maxDocuments.toLocaleString('en-US')} documents. List them with GET /api/invoices?month=${month} and download each.`,
    );
  return listed;
}

/** Reads the content of listed documents in batches, so that memory does not grow with their number. */
export async function* readMonthDocuments(
  actor: Actor,
  listed: readonly BuyerDocument[],
  on: Database,
): AsyncGenerator<MonthDocument[]> {
  for (let start = 0; start < listed.length; start += batchSize) {
    const batch = listed.slice(start, start + batchSize);
    const [invoicesById, receiptsById] = [await readInvoices(actor, batch, on), await readReceipts(batch, on)];
    yield batch.flatMap(({ id, issuedAt, ...name }) => {
      const number = documentNumber(name);
      const receipt = receiptsById.get(id);
      if (receipt) return [{ number, issuedAt, document: { kind: 'receipt', receipt }, counterparts: [] }];
      const found = invoicesById.get(id);
      return found ? [{ number, issuedAt, ...found }] : [];
    });
  }
}

async function readInvoices(actor: Actor, batch: readonly BuyerDocument[], on: Database) {
  const orderIds = [...new Set(batch.flatMap(({ orderId }) => orderId ?? []))];
  const byId = new Map<string, Pick<MonthDocument, 'document' | 'counterparts'>>();
  if (orderIds.length === 0) return byId;
  const orders = await readBilledOrders(orderIds, hasReadableDocuments(actor), on);
  // Ids follow the numbers, which follow the movements of the money.
  const issued = await on.select().from(invoices).where(inArray(invoices.orderId, orderIds)).orderBy(asc(invoices.id));
  for (const order of orders) {
    const rows = issued.filter(({ orderId }) => orderId === order.id);
    for (const row of rows) {
      const model = toInvoiceModel(order, rows, row);
      byId.set(row.id, { document: { kind: 'invoice', model, extras: {} }, counterparts: listCounterparts(rows, row) });
    }
  }
  return byId;
}

const listCounterparts = (rows: readonly InvoiceRow[], row: InvoiceRow): string[] =>
  assignCredits(rows).flatMap(({ invoice, credit }) =>
    invoice === row ? [documentNumber(credit)] : credit === row ? [documentNumber(invoice)] : [],
  );

async function readReceipts(batch: readonly BuyerDocument[], on: Database) {
  const ids = batch.flatMap(({ id, kind }) => (kind === 'receipt' ? [id] : []));
  const rows = ids.length === 0 ? [] : await on.select().from(receipts).where(inArray(receipts.id, ids));
  return new Map(rows.map((row) => [row.id, row]));
}
