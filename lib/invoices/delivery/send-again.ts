import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { invoiceDeliveries } from '@/db/schema/invoice-deliveries';
import { invoices } from '@/db/schema/invoices';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { documentNumber } from '@/lib/invoices/numbers';
import { recordAudit } from '@/lib/platform/audit/record';
import { secondsFromNow } from '@/lib/platform/leases';
import { channelNames } from './channel-names';
import { listOpenChannels, newDelivery, sendingHours } from './queue';

export const sendAgainInput = z.object({ id: z.string().trim().min(1).max(64) });

/**
 * Sends a document again whose delivery failed, was incomplete or was rejected. A rejected one gets a new delivery, because
 * the provider remembers its answer to the old one; the others keep theirs, by which the provider recognizes a document that
 * it received after all.
 * @throws AppError not_found; conflict for a delivery that is open or done, and while the channel is off
 */
export async function sendDeliveryAgain(actor: Actor, { id }: z.output<typeof sendAgainInput>): Promise<void> {
  await db().transaction(async (tx) => {
    const [found] = await tx
      .select({ delivery: invoiceDeliveries, document: invoices })
      .from(invoiceDeliveries)
      .innerJoin(invoices, eq(invoices.id, invoiceDeliveries.invoiceId))
      .where(eq(invoiceDeliveries.id, id))
      .for('no key update', { of: invoiceDeliveries });
    if (!found) throw new AppError('not_found', 'This delivery does not exist.');
    const { delivery, document } = found;
    const { state, channel, invoiceId } = delivery;
    const [number, name] = [documentNumber(document), channelNames[channel]];
    if (state !== 'rejected' && state !== 'failed' && state !== 'incomplete')
      throw new AppError('conflict', `${number} is being sent by ${name}, or was sent. Reload the page.`);
    if (!(await listOpenChannels(tx)).includes(channel))
      throw new AppError('conflict', `${name} is off. Turn its provider on first.`);
    if (state === 'rejected') {
      const added = await tx
        .insert(invoiceDeliveries)
        .values(newDelivery(invoiceId, channel))
        .onConflictDoNothing()
        .returning();
      if (added.length === 0) throw new AppError('conflict', `${number} was already sent again. Reload the page.`);
    } else {
      await tx
        .update(invoiceDeliveries)
        .set({
          ...{ state: 'waiting', attempts: 0, finishedAt: null },
          nextAttemptAt: secondsFromNow(0),
          giveUpAt: secondsFromNow(sendingHours * 3_600),
        })
        .where(and(eq(invoiceDeliveries.id, id), eq(invoiceDeliveries.state, state)));
    }
    await recordAudit(tx, actor, {
      action: 'invoice_delivery.sent_again',
      details: `${actor.email} sends ${number} by ${name} again. Before: ${delivery.lastError || state}`,
      entityType: 'invoice',
      entityId: number,
    });
  });
}
