import { eq } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { invoices } from '../../db/schema/invoices';
import type { InvoiceRow } from './views';

/** The documents issued for an order, by the key of what each tells about. */
export async function invoicesOf(orderId: number, executor: Executor): Promise<Map<string, InvoiceRow>> {
  const found = await executor.select().from(invoices).where(eq(invoices.orderId, orderId));
  return new Map(found.map((row) => [row.movementKey, row]));
}
