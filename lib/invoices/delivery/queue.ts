import { and, eq, type SQL, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import type { DeliveryChannel } from '@/db/enums';
import { deliveryProviders, invoiceDeliveries } from '@/db/schema/invoice-deliveries';
import { invoices } from '@/db/schema/invoices';
import type { Transaction } from '@/db/transaction';
import { newId } from '@/lib/ids';
import { isInPeppol } from '@/lib/invoices/formats/terms';
import { secondsFromNow } from '@/lib/platform/leases';

/** For how long a provider that is not reached is tried again. */
export const sendingHours = 72;

/** Lists the channels by which documents are sent. */
export async function listOpenChannels(tx: Executor = db()): Promise<DeliveryChannel[]> {
  const rows = await tx
    .select({ channel: deliveryProviders.channel })
    .from(deliveryProviders)
    .where(eq(deliveryProviders.isOn, true));
  return rows.map(({ channel }) => channel);
}

/**
 * The condition of deliveries whose channel is on. Receivers refuse a credit note of an invoice that they do not know, so
 * it waits while its invoice does.
 */
export const isServable: SQL = sql`exists (
    select from ${deliveryProviders} as provider where provider.channel = ${invoiceDeliveries.channel} and provider.is_on)
  and not exists (
    select from ${invoices} as own
    join ${invoices} as earlier on earlier.order_id = own.order_id and earlier.kind = 'invoice' and earlier.id < own.id
    join ${invoiceDeliveries} as unsent on unsent.invoice_id = earlier.id and unsent.state = 'waiting'
    where own.id = ${invoiceDeliveries.invoiceId} and own.kind = 'credit_note'
      and unsent.channel = ${invoiceDeliveries.channel})`;

type Issued = Pick<typeof invoices.$inferInsert, 'id' | 'seller' | 'buyer' | 'taxes'>;

/**
 * Decides whether a channel serves a document, by what it was issued with.
 *
 * Peppol: the buyer has a VAT id from which an address in the network derives. A document outside the scope of VAT contains
 * no VAT ids (BR-O-02), so that it cannot be addressed. KSeF: the seller is in Poland and the buyer is a business, by its
 * VAT id or company; invoices to consumers are optional there (Article 106ga of the Polish act on VAT), and are not sent.
 */
function isServed(channel: DeliveryChannel, { seller, buyer, taxes }: Issued): boolean {
  if (channel === 'ksef') return seller.country === 'PL' && (buyer.vatId !== '' || buyer.company !== '');
  return isInPeppol(buyer.vatId) && taxes.every(({ category }) => category !== 'O');
}

/**
 * Queues the deliveries of documents in the transaction that issues them: one for each channel that is on and serves the
 * document. Documents issued while a channel is off are not sent by it later.
 */
export async function queueDeliveries(tx: Transaction, documents: readonly Issued[]): Promise<void> {
  const channels = await listOpenChannels(tx);
  const rows = documents.flatMap((document) =>
    channels.filter((channel) => isServed(channel, document)).map((channel) => newDelivery(document.id, channel)),
  );
  if (rows.length > 0) await tx.insert(invoiceDeliveries).values(rows);
}

/** Returns a delivery that is due at once. */
export const newDelivery = (invoiceId: string, channel: DeliveryChannel) => ({
  ...{ id: newId(), invoiceId, channel },
  giveUpAt: secondsFromNow(sendingHours * 3_600),
});

/** Gives the deliveries of a channel that waited while it was off the whole time again. */
export async function renewWaiting(tx: Transaction, channel: DeliveryChannel): Promise<void> {
  await tx
    .update(invoiceDeliveries)
    .set({ giveUpAt: secondsFromNow(sendingHours * 3_600) })
    .where(and(eq(invoiceDeliveries.channel, channel), eq(invoiceDeliveries.state, 'waiting')));
}
