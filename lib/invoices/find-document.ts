import { and, eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { invoices, receipts } from '@/db/schema/invoices';
import type { Actor } from '@/lib/access/actor';
import { hasPermission } from '@/lib/access/authorize';
import { findStatement } from '@/lib/earnings/self-billing/queries';
import { AppError } from '@/lib/errors';
import { readBilledOrders } from '@/lib/orders/order/queries';
import { hasReadableDocuments, readsReceipts } from './document-scope';
import type { InvoiceExtras } from './draw-invoice';
import type { ReceiptRow } from './draw-receipt';
import type { InvoiceModel } from './model';
import { type DocumentName, parseDocumentNumber } from './numbers';
import { readIssued } from './queries';
import { selfBilledExtras, toSelfBilledModel } from './self-billed';
import { toInvoiceModel } from './to-invoice-model';

/** A document that was issued: a receipt, or what the formats of an invoice are written from. */
export type FoundDocument =
  | { kind: 'receipt'; receipt: ReceiptRow }
  | { kind: 'invoice'; model: InvoiceModel; extras: InvoiceExtras };

/**
 * Finds a document by its number for the members of its account who read it, its seller, and for staff: with ManageOrders the invoices and credit notes,
 * with ManageWallets the receipts, with ManagePayouts the self-billed statements.
 * @throws AppError not_found, also for a document that the actor may not see
 */
export async function findDocument(actor: Actor, text: string): Promise<FoundDocument> {
  const name = parseDocumentNumber(text);
  const found = name && (await findByName(actor, name));
  if (!found) throw new AppError('not_found', 'This document does not exist.');
  return found;
}

function findByName(actor: Actor, name: DocumentName): Promise<FoundDocument | null> {
  if (name.kind === 'receipt') return findReceipt(actor, name);
  return name.kind === 'self_billed' ? findSelfBilled(actor, name) : findInvoice(actor, { ...name, kind: name.kind });
}

async function findInvoice(
  actor: Actor,
  { kind, year, number }: { kind: 'invoice' | 'credit_note'; year: number; number: number },
): Promise<FoundDocument | null> {
  const [row] = await db()
    .select({ id: invoices.id, orderId: invoices.orderId })
    .from(invoices)
    .where(and(eq(invoices.kind, kind), eq(invoices.year, year), eq(invoices.number, number)));
  if (!row) return null;
  const readable = hasPermission(actor, 'ManageOrders') ? undefined : hasReadableDocuments(actor);
  const [order] = await readBilledOrders([row.orderId], readable);
  if (!order) return null;
  const { rows } = await readIssued(row.orderId);
  const shown = rows.find(({ id }) => id === row.id);
  return shown ? { kind: 'invoice', model: toInvoiceModel(order, rows, shown), extras: {} } : null;
}

async function findReceipt(actor: Actor, { year, number }: DocumentName): Promise<FoundDocument | null> {
  const isStaff = hasPermission(actor, 'ManageWallets');
  if (!isStaff && !readsReceipts(actor)) return null;
  const [receipt] = await db()
    .select()
    .from(receipts)
    .where(
      and(
        ...[eq(receipts.year, year), eq(receipts.number, number)],
        isStaff ? undefined : eq(receipts.accountId, actor.accountId),
      ),
    );
  return receipt ? { kind: 'receipt', receipt } : null;
}

async function findSelfBilled(actor: Actor, name: DocumentName): Promise<FoundDocument | null> {
  const found = await findStatement(name, hasPermission(actor, 'ManagePayouts') ? undefined : actor.userId);
  if (!found) return null;
  const { statement, lines } = found;
  return { kind: 'invoice', model: toSelfBilledModel(statement, lines), extras: selfBilledExtras(statement) };
}
