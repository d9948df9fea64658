import { and, eq, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { db } from '@/db/client';
import { deliveryProviders, invoiceDeliveries } from '@/db/schema/invoice-deliveries';
import { invoices } from '@/db/schema/invoices';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { AppError } from '@/lib/errors';
import { documentNumber } from '@/lib/invoices/numbers';
import { recordAudit } from '@/lib/platform/audit/record';
import { getBackoffSeconds, isDue, processLeased, secondsFromNow } from '@/lib/platform/leases';
import { log } from '@/lib/platform/log/log';
import { type ProviderAnswer, readFromProvider, sendToProvider } from './ask-provider';
import { channelNames } from './channel-names';
import { isServable } from './queue';
import { writeSentDocument } from './write-document';

/** Each waits for the provider most of its time. */
const workers = 4;
const runMs = 50_000;
/** Longer than a request with its time-out and writing the document. */
const leaseSeconds = 120;

/** The pauses between two attempts to send, and between two questions what became of a document. */
const sendBackoff = { firstSeconds: 60, maxSeconds: 2 * 3_600 };
const readBackoff = { firstSeconds: 60, maxSeconds: 6 * 3_600 };
/** For how long the provider is asked what became of a document. */
const readingHours = 14 * 24;

type Delivery = typeof invoiceDeliveries.$inferSelect;
type Counts = { sent: number; delivered: number; rejected: number; waiting: number; failed: number };

/**
 * Sends the documents that are due, and asks what became of those that were sent. Several instances may run it: each
 * leases other deliveries, and the provider recognizes one that was sent before by the delivery's id. While a channel is
 * off, its documents wait.
 * @returns the deliveries by what became of them; `failed` have no further attempt
 */
export async function deliverInvoices(): Promise<Counts> {
  const counts: Counts = { sent: 0, delivered: 0, rejected: 0, waiting: 0, failed: 0 };
  await processLeased({ workers, endsAt: Date.now() + runMs }, leaseNext, async (delivery) => {
    const change = await attempt(delivery);
    if (await record(delivery, change)) counts[countedAs[change.state]] += 1;
  });
  return counts;
}

const countedAs = {
  sent: 'sent',
  delivered: 'delivered',
  rejected: 'rejected',
  waiting: 'waiting',
  incomplete: 'failed',
  failed: 'failed',
} as const;

async function leaseNext(): Promise<Delivery | undefined> {
  const { id, nextAttemptAt, attempts } = invoiceDeliveries;
  const [leased] = await db()
    .update(invoiceDeliveries)
    .set({ attempts: sql`${attempts} + 1`, nextAttemptAt: secondsFromNow(leaseSeconds) })
    .where(isDue({ id, dueAt: nextAttemptAt, where: isServable, limit: 1 }))
    .returning();
  return leased;
}

type Change = Omit<PgUpdateSetSource<typeof invoiceDeliveries>, 'state' | 'lastError'> & {
  state: Delivery['state'];
  lastError: string;
};

/** Sends a document or asks about it, outside of a transaction. @returns the change of the delivery */
async function attempt(delivery: Delivery): Promise<Change> {
  const [provider] = await db().select().from(deliveryProviders).where(eq(deliveryProviders.channel, delivery.channel));
  if (!provider) throw new Error(`${delivery.channel} has no provider.`);
  const isLate = delivery.giveUpAt.getTime() <= Date.now();
  const { host } = new URL(provider.url);
  if (delivery.state === 'sent' && delivery.providerId !== null) {
    if (delivery.providerHost !== host) return { state: 'sent', lastError: replaced, nextAttemptAt: null };
    return readChange(delivery, await readFromProvider(provider, delivery.providerId), isLate);
  }
  let xml: string;
  try {
    xml = await writeSentDocument(delivery.invoiceId);
  } catch (thrown) {
    // Documents keep the parties of their issue, so that another attempt would find the same.
    if (thrown instanceof AppError)
      return thrown.code === 'billing_incomplete'
        ? finish('incomplete', describeMissing(thrown))
        : finish('failed', thrown.message);
    log().error({ delivery: delivery.id, err: thrown }, 'A structured invoice could not be written.');
    const lastError = 'The document could not be written. The log of the server has the error.';
    return isLate ? finish('failed', lastError) : retry('waiting', delivery, lastError);
  }
  const answer = await sendToProvider(provider, delivery.id, xml);
  if (answer.outcome === 'rejected') return finish('rejected', answer.reason);
  if (answer.outcome === 'unanswered')
    return isLate ? finish('failed', answer.reason) : retry('waiting', delivery, answer.reason);
  const accepted = { providerId: answer.id, providerHost: host, sentAt: new Date(), attempts: 0 };
  if (answer.state !== 'sent') return { ...finish(answer.state, answer.reason), ...accepted };
  return {
    ...accepted,
    ...{ state: 'sent', lastError: '' },
    // Without an id nothing more is learned.
    nextAttemptAt: answer.id === null ? null : secondsFromNow(readBackoff.firstSeconds),
    giveUpAt: secondsFromNow(readingHours * 3_600),
  };
}

const replaced = 'The provider was replaced, so that its last state stays.';

function readChange(delivery: Delivery, answer: ProviderAnswer, isLate: boolean): Change {
  if (answer.outcome === 'accepted' && answer.state !== 'sent') return finish(answer.state, answer.reason);
  const lastError = answer.outcome === 'accepted' ? '' : answer.reason;
  // The provider has it, so its last state stays.
  if (isLate) return { state: 'sent', lastError, nextAttemptAt: null };
  return retry('sent', delivery, lastError);
}

/** @returns a change to a state without further attempts */
const finish = (state: Delivery['state'], lastError: string): Change => ({
  ...{ state, lastError, nextAttemptAt: null, finishedAt: new Date() },
});

const retry = (state: 'waiting' | 'sent', { attempts }: Delivery, lastError: string): Change => {
  const backoff = state === 'sent' ? readBackoff : sendBackoff;
  return { state, lastError, nextAttemptAt: secondsFromNow(getBackoffSeconds(attempts - 1, backoff)) };
};

function describeMissing({ message, details }: AppError): string {
  const fields = Object.values(details.fields ?? {});
  return fields.length === 0 ? message : fields.join(' ');
}

/**
 * Records what became of an attempt, unless the lease ended and another worker took the delivery.
 * @returns whether it was recorded
 */
function record(delivery: Delivery, change: Change): Promise<boolean> {
  return db().transaction(async (tx) => {
    const { id, attempts, state } = invoiceDeliveries;
    const [saved] = await tx
      .update(invoiceDeliveries)
      .set(change)
      .where(and(eq(id, delivery.id), eq(attempts, delivery.attempts), eq(state, delivery.state)))
      .returning({ invoiceId: invoiceDeliveries.invoiceId });
    if (!saved) return false;
    if (change.state === delivery.state) return true;
    const [document] = await tx.select().from(invoices).where(eq(invoices.id, saved.invoiceId));
    if (!document) throw new Error('A delivery has no document.');
    const number = documentNumber(document);
    await recordAudit(tx, systemActor(systemActors.invoiceDelivery, 'job'), {
      action: `invoice_delivery.${change.state}`,
      details: `${number} ${outcomes[change.state]} ${channelNames[delivery.channel]}.${change.lastError === '' ? '' : ` ${change.lastError}`}`,
      entityType: 'invoice',
      entityId: number,
    });
    return true;
  });
}

const outcomes: Readonly<Record<Delivery['state'], string>> = {
  waiting: 'waits to be sent by',
  sent: 'was sent to the provider of',
  delivered: 'was delivered by',
  rejected: 'was rejected by',
  incomplete: 'lacks fields that are required by',
  failed: 'could not be sent to the provider of',
};
