import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { invoices } from '@/db/schema/invoices';
import { requireComplete } from '@/lib/invoices/find-missing';
import { writeUbl } from '@/lib/invoices/formats/ubl';
import { readIssued } from '@/lib/invoices/queries';
import { toInvoiceModel } from '@/lib/invoices/to-invoice-model';
import { readBilledOrders } from '@/lib/orders/order/queries';

/**
 * Writes a document as it is sent: UBL 2.1 for Peppol, and for KSeF, whose provider converts it to FA(3).
 * @throws AppError billing_incomplete with a message for each missing field
 */
export async function writeSentDocument(invoiceId: string): Promise<string> {
  const [found] = await db().select({ orderId: invoices.orderId }).from(invoices).where(eq(invoices.id, invoiceId));
  if (!found) throw new Error('A delivery has no document.');
  const [[order], { rows }] = await Promise.all([
    readBilledOrders([found.orderId], undefined),
    readIssued(found.orderId),
  ]);
  const row = rows.find(({ id }) => id === invoiceId);
  if (!order || !row) throw new Error('A document has no movement.');
  const model = toInvoiceModel(order, rows, row);
  requireComplete(model);
  return writeUbl(model);
}
