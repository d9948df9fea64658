import { once } from 'node:events';
import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import type { DeliveryChannel } from '@/db/enums';
import { auditLogs } from '@/db/schema/audit';
import { deliveryProviders, invoiceDeliveries } from '@/db/schema/invoice-deliveries';
import { invoices } from '@/db/schema/invoices';
import type { Actor } from '@/lib/access/actor';
import { deliverInvoices } from '@/lib/invoices/delivery/deliver';
import { saveProvider, saveProviderInput } from '@/lib/invoices/delivery/providers';
import { countUndelivered, listDeliveriesOf, listInvoiceDeliveries } from '@/lib/invoices/delivery/queries';
import { sendDeliveryAgain } from '@/lib/invoices/delivery/send-again';
import { issueInvoices } from '@/lib/invoices/issue';
import { documentNumber } from '@/lib/invoices/numbers';
import { getFailures, getQueues } from '@/lib/monitoring/read-queues';
import { updateOrder } from '@/lib/orders/order/update';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeUser } from '@/tests/factories/make-user';
import { spendMoney } from '@/tests/factories/spend-money';
import { makeBillingProfile, turnTaxOff, turnTaxOn } from '@/tests/factories/turn-tax-on';
import { forkWorker } from '@/tests/setup/fork-worker';
import { settle } from '@/tests/setup/settle';
import { startPublisher } from '@/tests/setup/start-publisher';

const { control: controlPublisher, getGatewayUrl, getPublisherUrl } = startPublisher();
const address = 'https://access-point.example.com/invoices';
const key = 'access-point-sandbox-key-4711';

let admin: Actor;
beforeAll(async () => {
  admin = await makeUser('Admin');
  await turnTaxOn();
});
afterAll(turnTaxOff);
beforeEach(async () => {
  await issueInvoices();
  await db().delete(invoiceDeliveries);
  await db().delete(deliveryProviders);
  await fetch(`${getGatewayUrl()}/controls/reset`, { method: 'POST' });
});

const turnOn = (channel: DeliveryChannel, changes: Partial<z.input<typeof saveProviderInput>> = {}) =>
  saveProvider(admin, saveProviderInput.parse({ channel, isOn: true, url: address, key, version: 0, ...changes }));

const control = (changes: object) =>
  fetch(`${getGatewayUrl()}/controls/access-point`, { method: 'POST', body: JSON.stringify(changes) });
const receivedSchema = z.array(
  z.object({ id: z.string(), idempotencyKey: z.string(), number: z.string(), xml: z.string() }),
);
const received = async () => receivedSchema.parse(await (await fetch(`${getGatewayUrl()}/invoices`)).json());
const requestCount = async () =>
  z.object({ requests: z.number() }).parse(await (await fetch(`${getGatewayUrl()}/controls/access-point`)).json())
    .requests;

const germanBusiness = {
  ...{ company: 'Agentur GmbH', street: 'Lange Straße 3', postcode: '10115', city: 'Berlin', country: 'DE' },
  vatId: 'DE136695976',
  vatCheck: { state: 'valid' as const, checkedAt: '2026-11-01T00:00:00.000Z', consultation: null, requester: null },
};

/** Issues the invoice of a paid order. @returns the order, and the deliveries of its document */
async function sell(profile: Parameters<typeof makeBillingProfile>[1] = germanBusiness) {
  const buyer = await makeUser();
  await fundWallet(buyer.userId, 10_000);
  await makeBillingProfile(buyer.userId, profile);
  const id = await spendMoney(buyer, 1_000);
  await issueInvoices();
  const [document] = await db().select().from(invoices).where(eq(invoices.orderId, id));
  if (!document) throw new Error('No document.');
  return { orderId: id, buyer, document, number: documentNumber(document) };
}

const deliveriesOf = (invoiceId: string) =>
  db()
    .select()
    .from(invoiceDeliveries)
    .where(eq(invoiceDeliveries.invoiceId, invoiceId))
    .orderBy(asc(invoiceDeliveries.id));
const deliveryOf = async (invoiceId: string) => {
  const rows = await deliveriesOf(invoiceId);
  const last = rows.at(-1);
  if (!last) throw new Error('No delivery.');
  return last;
};
const passPauses = () =>
  db()
    .update(invoiceDeliveries)
    .set({ nextAttemptAt: sql`now()` })
    .where(inArray(invoiceDeliveries.state, ['waiting', 'sent']));
const passPausesAndDeliver = async () => {
  await passPauses();
  return deliverInvoices();
};

describe('the outbox', () => {
  it('has the documents that a channel serves, and only those issued while it is on', async () => {
    const early = await sell();
    await turnOn('peppol');
    await turnOn('ksef');
    const channelsOf = async (profile: Parameters<typeof makeBillingProfile>[1]) =>
      (await deliveriesOf((await sell(profile)).document.id)).map(({ channel }) => channel).sort();
    expect(await deliveriesOf(early.document.id)).toEqual([]);
    expect(await channelsOf(germanBusiness)).toEqual(['ksef', 'peppol']);
    // A Polish consumer, a Polish company without a VAT id, and a company in the United States.
    expect(await channelsOf({ company: '' })).toEqual([]);
    expect(await channelsOf({})).toEqual(['ksef']);
    expect(await channelsOf({ country: 'US', company: 'Agency Inc.' })).toEqual(['ksef']);
    // No VAT ids are in documents outside the scope of VAT.
    expect(await channelsOf({ country: 'GB', company: 'Agency Ltd', vatId: 'GB434031494' })).toEqual(['ksef']);
    await turnTaxOn({ country: 'DE', vatIds: [{ country: 'DE', number: 'DE129273398' }] });
    expect(
      await channelsOf({ country: 'AT', company: 'Agentur', vatId: 'ATU62895905', vatCheck: germanBusiness.vatCheck }),
    ).toEqual(['peppol']);
    await turnTaxOn();
  });

  it('also has credit notes, and sends each document once with its number, while a channel that is off waits', async () => {
    await turnOn('peppol');
    const { orderId, number } = await sell();
    await updateOrder(admin, orderId, { status: 'Refunded' });
    await issueInvoices();
    await turnOn('peppol', { isOn: false, key: '', version: 1 });
    expect(await deliverInvoices()).toMatchObject({ sent: 0 });
    expect(await requestCount()).toBe(0);
    await turnOn('peppol', { key: '', version: 2 });
    expect(await deliverInvoices()).toMatchObject({ sent: 2 });
    await passPausesAndDeliver();
    const documents = await received();
    expect(documents.map((one) => [one.number, /<(\w+) xmlns/.exec(one.xml)?.[1]]).sort()).toEqual([
      [expect.stringMatching(/^CN-/), 'CreditNote'],
      [number, 'Invoice'],
    ]);
    expect(await requestCount()).toBe(2);
  });
});

describe('a credit note', () => {
  it('waits while its invoice does', async () => {
    await turnOn('peppol');
    const { orderId, number } = await sell();
    await updateOrder(admin, orderId, { status: 'Refunded' });
    await issueInvoices();
    await control({ answer: 'down' });
    expect(await deliverInvoices()).toMatchObject({ waiting: 1 });
    await passPausesAndDeliver();
    expect(await requestCount()).toBe(2);
    await control({ answer: 'normal' });
    expect(await passPausesAndDeliver()).toMatchObject({ sent: 2 });
    expect((await received()).map((one) => one.number)).toEqual([number, expect.stringMatching(/^CN-/)]);
  });
});

describe('a delivery', () => {
  it('reports the later state of the provider, and then asks no more', async () => {
    await turnOn('peppol');
    const { document, number } = await sell();
    await deliverInvoices();
    expect(await deliveryOf(document.id)).toMatchObject({
      state: 'sent',
      providerId: 'ap_1',
      attempts: 0,
      lastError: '',
    });
    expect(await passPausesAndDeliver()).toMatchObject({ sent: 1 });
    await control({ state: 'delivered' });
    expect(await passPausesAndDeliver()).toMatchObject({ delivered: 1 });
    expect(await deliveryOf(document.id)).toMatchObject({ state: 'delivered', nextAttemptAt: null });
    const audited = await db()
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.entityId, number))
      .orderBy(asc(auditLogs.id));
    expect(audited.map(({ action }) => action).filter((action) => action.startsWith('invoice_delivery'))).toEqual([
      'invoice_delivery.sent',
      'invoice_delivery.delivered',
    ]);
  });

  it.each(['error', 'unauthorized', 'limited', 'down', 'lost', 'malformed'])(
    'is tried again when the provider answers “%s”, and arrives once',
    async (answer) => {
      await turnOn('peppol');
      const { document } = await sell();
      await control({ answer });
      expect(await deliverInvoices()).toMatchObject({ waiting: 1 });
      const failed = await deliveryOf(document.id);
      expect(failed).toMatchObject({ state: 'waiting', attempts: 1, lastError: expect.stringMatching(/\w/) });
      expect(failed.lastError).not.toContain(key);
      // The pause grows.
      expect(await deliverInvoices()).toMatchObject({ waiting: 0, sent: 0 });
      await passPausesAndDeliver();
      const again = await deliveryOf(document.id);
      const pauseOf = (row: typeof again) => Number(row.nextAttemptAt) - Number(row.updatedAt);
      // A document that the provider has is sent with the second attempt.
      if (answer !== 'malformed') expect(pauseOf(again)).toBeGreaterThan(pauseOf(failed));
      await control({ answer: 'normal' });
      expect(await passPausesAndDeliver()).toMatchObject({ sent: 1 });
      expect(await deliveryOf(document.id)).toMatchObject({ state: 'sent', providerId: 'ap_1', lastError: '' });
      expect((await received()).map(({ idempotencyKey }) => idempotencyKey)).toEqual([again.id]);
    },
  );

  it('fails when the provider was not reached for days, and can be sent again under the same key', async () => {
    await turnOn('peppol');
    const { document, number } = await sell();
    await control({ answer: 'lost' });
    await db().update(invoiceDeliveries).set({ giveUpAt: sql`now()` });
    expect(await deliverInvoices()).toMatchObject({ failed: 1 });
    const failed = await deliveryOf(document.id);
    expect(failed).toMatchObject({ state: 'failed', nextAttemptAt: null });
    expect((await listInvoiceDeliveries({ state: 'failed' }, { limit: 10 })).rows).toMatchObject([
      { document: number, isOrderDeleted: false },
    ]);
    await control({ answer: 'normal' });
    await sendDeliveryAgain(admin, { id: failed.id });
    await expect(sendDeliveryAgain(admin, { id: failed.id })).rejects.toMatchObject({ code: 'conflict' });
    expect(await deliverInvoices()).toMatchObject({ sent: 1 });
    // The provider had it: it recognized the key.
    expect(await received()).toHaveLength(1);
    expect(await deliveryOf(document.id)).toMatchObject({ id: failed.id, state: 'sent', providerId: 'ap_1' });
  });

  it('that is rejected keeps the reason, and is sent again once, as another delivery', async () => {
    await turnOn('peppol');
    const { document, number } = await sell();
    await control({ answer: 'reject', reason: `BR-CO-10: sum\0 differs, ${key}` });
    expect(await deliverInvoices()).toMatchObject({ rejected: 1 });
    const rejected = await deliveryOf(document.id);
    expect(rejected).toMatchObject({
      ...{ state: 'rejected', nextAttemptAt: null },
      lastError: 'The provider answered 422: BR-CO-10: sum differs, …',
    });
    await control({ answer: 'normal' });
    const again = await settle([1, 2, 3].map(() => sendDeliveryAgain(admin, { id: rejected.id })));
    expect([again.values.length, again.codes]).toEqual([1, ['conflict', 'conflict']]);
    await deliverInvoices();
    expect((await deliveriesOf(document.id)).map(({ state }) => state)).toEqual(['rejected', 'sent']);
    // Also when the receiver rejects it later.
    await control({ state: 'rejected', reason: 'Unknown receiver' });
    await passPausesAndDeliver();
    expect(await deliveryOf(document.id)).toMatchObject({ state: 'rejected', lastError: 'Unknown receiver' });
    // Buyers see no words of the provider.
    expect(await listDeliveriesOf([document])).toEqual({ [number]: [{ channel: 'peppol', state: 'rejected' }] });
  });

  it.each(['a\0b', '..', '.', 'x'.repeat(201)])('follows no document by the id %j', async (id) => {
    await turnOn('peppol');
    const { document } = await sell();
    await control({ id });
    expect(await deliverInvoices()).toMatchObject({ sent: 1 });
    expect(await deliveryOf(document.id)).toMatchObject({ state: 'sent', providerId: null, nextAttemptAt: null });
    expect(await received()).toHaveLength(1);
  });

  it('asks about an id of any other characters as one part of the path', async () => {
    await turnOn('peppol');
    const { document } = await sell();
    await control({ id: 'ą/../b?c#d e' });
    await deliverInvoices();
    await control({ state: 'delivered' });
    expect(await passPausesAndDeliver()).toMatchObject({ delivered: 1 });
    expect(await deliveryOf(document.id)).toMatchObject({ state: 'delivered', providerId: 'ą/../b?c#d e' });
  });

  it('that waited for days while its channel was off is tried as often as a new one', async () => {
    await turnOn('peppol');
    const { document } = await sell();
    await turnOn('peppol', { isOn: false, key: '', version: 1 });
    await db().update(invoiceDeliveries).set({ giveUpAt: sql`now() - interval '1 day'` });
    await control({ answer: 'down' });
    await turnOn('peppol', { key: '', version: 2 });
    expect(await deliverInvoices()).toMatchObject({ waiting: 1, failed: 0 });
    // Another change of the provider gives no more time.
    const { giveUpAt } = await deliveryOf(document.id);
    await turnOn('peppol', { key: '', version: 3 });
    expect((await deliveryOf(document.id)).giveUpAt).toEqual(giveUpAt);
  });

  it('of an incomplete document names what is missing and sends nothing', async () => {
    await turnOn('peppol');
    await turnTaxOn({ name: '' });
    const { document } = await sell();
    await turnTaxOn();
    expect(await deliverInvoices()).toMatchObject({ failed: 1 });
    const incomplete = await deliveryOf(document.id);
    expect(incomplete).toMatchObject({ state: 'incomplete', nextAttemptAt: null });
    expect(incomplete.lastError).toContain('The operator had');
    expect(await requestCount()).toBe(0);
  });

  it('is sent once by several instances, one of which is killed in between', async () => {
    await turnOn('peppol');
    const sold = [await sell(), await sell(), await sell()];
    // The provider keeps the documents and answers after the death of the instance.
    await control({ slowMs: 30_000 });
    const killed = forkWorker('invoice-delivery-worker', { env: { PUBLISHER_BASE_URL: getPublisherUrl() } });
    killed.send('run');
    await expect.poll(async () => (await received()).length, { timeout: 30_000 }).toBe(3);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await control({ slowMs: 0 });
    // Until the lease ends, no worker takes them.
    expect(await deliverInvoices()).toMatchObject({ sent: 0, waiting: 0 });
    await passPauses();
    await Promise.all([deliverInvoices(), deliverInvoices(), deliverInvoices()]);
    expect((await received()).map(({ number }) => number).sort()).toEqual(sold.map(({ number }) => number).sort());
    const rows = await db().select().from(invoiceDeliveries);
    expect(rows.map(({ state }) => state)).toEqual(['sent', 'sent', 'sent']);
  }, 60_000);
});

describe('a document that is not delivered', () => {
  const name = 'invoice_deliveries';
  const readFigures = () =>
    db().transaction(async (tx) => ({
      queue: (await getQueues(tx)).find(({ queue }) => queue === name),
      failed: (await getFailures(tx)).find(({ queue }) => queue === name)?.failed,
      tasks: (await countUndelivered()).total,
      listed: (await listInvoiceDeliveries({ state: 'undelivered' }, { limit: 10 })).rows.length,
    }));

  it('is in the metrics while its provider does not accept it, unless the channel is off', async () => {
    await turnOn('peppol');
    const { orderId } = await sell();
    // The credit note waits for its invoice.
    await updateOrder(admin, orderId, { status: 'Refunded' });
    await issueInvoices();
    await control({ answer: 'down' });
    await deliverInvoices();
    await db()
      .update(invoiceDeliveries)
      .set({ nextAttemptAt: sql`now() - interval '1 minute'`, giveUpAt: sql`now() + interval '70 hours'` });
    const { queue, ...ended } = await readFigures();
    expect(queue).toMatchObject({ items: 1, due: 1 });
    expect(Math.round(Number(queue?.oldestSeconds) / 600)).toBe(12);
    expect(Math.round(Number(queue?.overdueSeconds) / 60)).toBe(1);
    expect(ended).toEqual({ failed: 0, tasks: 0, listed: 0 });
    await turnOn('peppol', { isOn: false, key: '', version: 1 });
    expect((await readFigures()).queue).toMatchObject({ items: 0, due: 0, overdueSeconds: 0 });
  });

  it('is a task of staff for a week, until it is sent again, and in the metrics for a day', async () => {
    await turnOn('peppol');
    const { document } = await sell();
    await control({ answer: 'reject', reason: 'Unknown receiver' });
    await deliverInvoices();
    expect(await readFigures()).toMatchObject({ queue: { items: 0 }, failed: 1, tasks: 1, listed: 1 });
    const finishedAgo = (days: number) =>
      db()
        .update(invoiceDeliveries)
        .set({ finishedAt: sql`now() - make_interval(days => ${days})` });
    await finishedAgo(2);
    expect(await readFigures()).toMatchObject({ failed: 0, tasks: 1, listed: 1 });
    await finishedAgo(8);
    expect(await readFigures()).toMatchObject({ failed: 0, tasks: 0, listed: 0 });
    await finishedAgo(0);
    await sendDeliveryAgain(admin, { id: (await deliveryOf(document.id)).id });
    expect(await readFigures()).toMatchObject({ queue: { items: 1 }, failed: 1, tasks: 0, listed: 0 });
  });
});

describe('the provider', () => {
  it('is a public https address, and a private one is not called', async () => {
    for (const url of [
      'http://ap.example.com',
      'https://10.0.0.1/x',
      'https://localhost',
      'https://a.example.com?x=1',
      'https://u:p@a.example.com',
      'https://a.example.com/x?',
      'https://a.example.com/x#',
    ])
      expect(saveProviderInput.safeParse({ channel: 'peppol', isOn: true, url, key, version: 0 }).success).toBe(false);
    await turnOn('peppol', { url: 'https://inside.example.com/invoices' });
    await controlPublisher('PUT', '/control/names', { name: 'inside.example.com', addresses: ['10.0.0.1'] });
    const { document } = await sell();
    await deliverInvoices();
    expect(await deliveryOf(document.id)).toMatchObject({
      state: 'waiting',
      lastError: 'The address belongs to a private network.',
    });
    expect(await controlPublisher('GET', '/control/requests?host=inside.example.com')).toEqual([]);
  });

  it('that replaced another is not asked about the documents of that one', async () => {
    await turnOn('peppol');
    const { document } = await sell();
    await deliverInvoices();
    await turnOn('peppol', { url: 'HTTPS://Other.example.com/invoices', version: 1 });
    await passPausesAndDeliver();
    expect(await deliveryOf(document.id)).toMatchObject({ state: 'sent', providerId: 'ap_1', nextAttemptAt: null });
    expect(await controlPublisher('GET', '/control/requests?host=other.example.com')).toEqual([]);
  });

  it('keeps its key unless its host changes, and never shows it', async () => {
    await turnOn('ksef');
    await expect(
      turnOn('ksef', { key: '', url: 'https://other.example.com/invoices', version: 1 }),
    ).rejects.toMatchObject({
      details: { fields: { key: expect.stringContaining('another host') } },
    });
    await expect(turnOn('ksef', { version: 7 })).rejects.toMatchObject({ code: 'conflict' });
    await turnOn('ksef', { key: '', url: `${address}/`, version: 1 });
    const [stored] = await db().select().from(deliveryProviders);
    expect(stored).toMatchObject({ url: address, lastFour: '4711', version: 2 });
    const [line] = await db()
      .select()
      .from(auditLogs)
      .where(and(eq(auditLogs.action, 'invoice_delivery.provider_set'), eq(auditLogs.entityId, 'ksef')))
      .orderBy(desc(auditLogs.id))
      .limit(1);
    expect(JSON.stringify([line, { ...stored, sealedKey: '' }])).not.toContain(key);
  });
});
