import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { type CappedCount, countRows } from '@/db/count-up-to';
import { deliveryChannels, invoiceDeliveryStates } from '@/db/enums';
import { readIdPage } from '@/db/read-id-page';
import { invoiceDeliveries } from '@/db/schema/invoice-deliveries';
import { invoices } from '@/db/schema/invoices';
import { orders } from '@/db/schema/orders';
import type { PageRequest } from '@/lib/id-cursor';
import { documentNumber } from '@/lib/invoices/numbers';
import { choiceParam } from '@/lib/platform/http/fields';

/** The filters of the list of deliveries. */
export const deliveriesQuery = z.object({
  state: choiceParam([...invoiceDeliveryStates, 'undelivered']).optional(),
  channel: choiceParam(deliveryChannels).optional(),
});

/** The number of days for which undelivered documents are tasks of staff, who may send the PDF instead. */
export const undeliveredDays = 7;

/** The condition of deliveries that ended without success in these days, and were not repeated as another one. */
const isUndelivered: SQL = sql`${invoiceDeliveries.state} in ('rejected', 'incomplete', 'failed')
  and ${invoiceDeliveries.finishedAt} >= now() - make_interval(days => ${undeliveredDays})
  and not exists (
    select from ${invoiceDeliveries} as newer
    where newer.invoice_id = ${invoiceDeliveries.invoiceId} and newer.channel = ${invoiceDeliveries.channel}
      and newer.id > ${invoiceDeliveries.id})`;

/** Counts what the filter `undelivered` lists, up to a cap. */
export const countUndelivered = (): Promise<CappedCount> => countRows(invoiceDeliveries, isUndelivered);

type DeliveriesFilter = z.output<typeof deliveriesQuery>;

const columns = {
  id: invoiceDeliveries.id,
  channel: invoiceDeliveries.channel,
  state: invoiceDeliveries.state,
  attempts: invoiceDeliveries.attempts,
  nextAttemptAt: invoiceDeliveries.nextAttemptAt,
  providerId: invoiceDeliveries.providerId,
  lastError: invoiceDeliveries.lastError,
  createdAt: invoiceDeliveries.createdAt,
  updatedAt: invoiceDeliveries.updatedAt,
  orderId: invoices.orderId,
  isOrderDeleted: sql<boolean>`${orders.deletedAt} is not null`,
  kind: invoices.kind,
  year: invoices.year,
  number: invoices.number,
};

/** A delivery for staff. */
export type DeliveryEntry = Awaited<ReturnType<typeof listInvoiceDeliveries>>['rows'][number];

/** Lists the deliveries of documents, newest first, with their number up to a cap. */
export async function listInvoiceDeliveries({ state, channel }: DeliveriesFilter, page: PageRequest) {
  const isInState = state === 'undelivered' ? isUndelivered : state && eq(invoiceDeliveries.state, state);
  const filter = and(isInState, channel && eq(invoiceDeliveries.channel, channel));
  const [found, counted] = await Promise.all([
    readIdPage(invoiceDeliveries.id, page, ({ where, orderBy, limit, offset }) =>
      db()
        .select(columns)
        .from(invoiceDeliveries)
        .innerJoin(invoices, eq(invoices.id, invoiceDeliveries.invoiceId))
        .innerJoin(orders, eq(orders.id, invoices.orderId))
        .where(and(filter, where))
        .orderBy(orderBy)
        .limit(limit)
        .offset(offset),
    ),
    countRows(invoiceDeliveries, filter),
  ]);
  return { ...found, rows: found.rows.map((row) => ({ ...row, document: documentNumber(row) })), ...counted };
}

/** How a document was sent, for its buyer: without the provider's words. */
export type DocumentDelivery = Pick<typeof invoiceDeliveries.$inferSelect, 'channel' | 'state'>;

type NamedDocument = Pick<typeof invoices.$inferSelect, 'id' | 'kind' | 'year' | 'number'>;

/** Returns the newest delivery of each channel of documents, by the number of the document. */
export async function listDeliveriesOf(
  documents: readonly NamedDocument[],
): Promise<Record<string, DocumentDelivery[]>> {
  if (documents.length === 0) return {};
  const { id, invoiceId, channel, state } = invoiceDeliveries;
  const ids = documents.map((document) => document.id);
  const rows = await db()
    .selectDistinctOn([invoiceId, channel], { invoiceId, channel, state })
    .from(invoiceDeliveries)
    .where(inArray(invoiceId, ids))
    .orderBy(invoiceId, channel, desc(id));
  return Object.fromEntries(
    documents.map((document) => [
      documentNumber(document),
      rows.flatMap(({ invoiceId: of, ...delivery }) => (of === document.id ? [delivery] : [])),
    ]),
  );
}
