import { setTimeout as wait } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { orderBriefs } from '@/db/schema/placements';
import { listChecks } from '@/lib/orders/link-checks/queries';
import { actAsSeller } from '@/lib/orders/order/authorize';
import { updateOrder } from '@/lib/orders/order/update';
import { checkDelivery, deliveryCheckView } from '@/lib/orders/placements/check-delivery';
import { deliverPlacement } from '@/lib/orders/placements/fulfill';
import { runPlacementClocks } from '@/lib/orders/placements/run-clocks';
import { makeOffer, type Offer } from '@/tests/factories/make-offer';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { checkLink, passLinkTime, watchOf } from '@/tests/setup/link-checks';
import { accept, actByStaff, approve, cancel, placementOf, release, revise } from '@/tests/setup/placement-verbs';
import { startPublisher } from '@/tests/setup/start-publisher';

const { control } = startPublisher();

const target = 'https://project.example/page';
const link = `<a href="${target}">the shop</a>`;
const reason = 'The editor adds it on Monday.';

const publish = (url: string, page: object) => control('PUT', '/control/pages', { url, html: link, ...page });
const setName = (name: string, addresses: string[]) => control('PUT', '/control/names', { name, addresses });

/** An order that its seller accepted, with a brief that asks for a dofollow link. */
async function acceptedOffer(): Promise<Offer> {
  const offer = await makeOffer(10_000);
  await accept(offer);
  const brief = { targetUrl: target, rel: 'dofollow', anchor: 'the shop' } as const;
  await db()
    .insert(orderBriefs)
    .values({ orderId: offer.id, ...brief })
    .onConflictDoUpdate({ target: orderBriefs.orderId, set: brief });
  return offer;
}

/** Checks a page and delivers it, as the address of the seller does. */
async function deliverPage({ id, seller }: Offer, url: string, given?: string) {
  const check = await checkDelivery(seller, id, url);
  return actAsSeller(seller, id, {}, (tx, locked) =>
    deliverPlacement(tx, seller, locked, { role: 'seller', check, reason: given }),
  );
}

let hosts = 0;
/** A host that no other test uses: its robots.txt is remembered. */
const newHost = () => `delivery-${++hosts}.example.com`;
const challenge =
  '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script><form id="challenge-form"></form>';

type Outcome = 'allowed' | 'with_reason' | 'refused';
type Row = [name: string, page: object, outcome: Outcome, reasons: string[]];

const pages: Row[] = [
  ['in order', {}, 'allowed', []],
  [
    'with a rel list separated by commas',
    { html: `<a rel="noopener,external" href="${target}">the shop</a>` },
    'allowed',
    [],
  ],
  ['in windows-1252', { html: `<meta charset="windows-1252">${link}` }, 'allowed', []],
  ['without the link', { change: 'lost' }, 'with_reason', ['link_missing']],
  ['with another rel', { change: 'nofollow' }, 'with_reason', ['rel_changed']],
  ['with another text', { html: `<a href="${target}">here</a>` }, 'with_reason', ['anchor_changed']],
  ['with a hidden link', { html: `<p style="display: none">${link}</p>` }, 'with_reason', ['link_hidden']],
  ['with noindex', { change: 'noindex' }, 'with_reason', ['noindex_meta']],
  ['on another domain', { change: 'redirected' }, 'with_reason', ['other_domain']],
  [
    'behind a challenge',
    { html: challenge, status: 403, headers: { 'cf-mitigated': 'challenge' } },
    'with_reason',
    ['bot_wall'],
  ],
  [
    'behind a challenge in place of an error',
    { html: '<title>Just a moment...</title><div id="cf-please-wait"></div>', status: 503 },
    'with_reason',
    ['bot_wall'],
  ],
  ['for signed-in visitors', { status: 401 }, 'with_reason', ['status']],
  ['forbidden', { change: 'forbidden' }, 'with_reason', ['status']],
  ['with too many requests', { status: 429 }, 'with_reason', ['status']],
  ['missing', { status: 404 }, 'refused', ['page_missing']],
  ['gone', { status: 410 }, 'refused', ['page_missing']],
  ['missing behind a challenge', { status: 404, headers: { 'cf-mitigated': 'challenge' } }, 'refused', ['bot_wall']],
  ['not allowed', { status: 405 }, 'refused', ['status']],
  ['broken', { status: 500 }, 'refused', ['status']],
  ['unavailable', { status: 503 }, 'refused', ['status']],
];

describe('a page', () => {
  it('is delivered, delivered with a reason, or refused by what its check finds', async () => {
    const offer = await acceptedOffer();
    for (const [name, page, outcome, reasons] of pages) {
      const url = `https://sweep.example.com/${name.replaceAll(' ', '-')}`;
      await publish(url, page);
      const check = await checkDelivery(offer.seller, offer.id, url);
      const view = deliveryCheckView(check);
      expect({ delivery: view.delivery, reasons: view.reasons }, name).toEqual({ delivery: outcome, reasons });
      expect(view.texts, name).toHaveLength(reasons.length);
    }
  });
});

const noLink = { change: 'lost' };

describe('a delivery', () => {
  it('has the result of its check, and keeps the reason until the next one is in order', async () => {
    const offer = await acceptedOffer();
    const { id } = offer;
    const url = `https://${newHost()}/article`;
    await publish(url, noLink);
    const refused = deliverPage(offer, url);
    await expect(refused).rejects.toMatchObject({
      code: 'link_not_in_order',
      message: expect.stringContaining('The page has no link to the target.'),
      details: { check: { delivery: 'with_reason', verdict: 'broken', status: 200, found: null } },
    });
    // A refused delivery and a dry run leave nothing.
    expect(await placementOf(id)).toMatchObject({ state: 'accepted', deliveredUrl: '', deliveryReason: '' });
    expect(await listChecks(id, { limit: 10 })).toEqual([]);

    const delivered = await deliverPage(offer, url, reason);
    expect(delivered.placement).toMatchObject({ state: 'delivered', deliveryReason: reason, linkVerdict: 'broken' });
    expect(await listChecks(id, { limit: 10 })).toMatchObject([
      { cause: 'delivery', verdict: 'broken', reasons: ['link_missing'], pageUrl: url, actorId: offer.seller.userId },
    ]);
    const watch = await watchOf(id);
    expect(watch).toMatchObject({ verdict: 'broken', nextCause: 'schedule' });
    expect(watch.nextCheckAt?.getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000);

    await revise(offer);
    await publish(url, {});
    await deliverPage(offer, url, reason);
    expect(await placementOf(id)).toMatchObject({ state: 'delivered', deliveryReason: '' });
    expect(await watchOf(id)).toMatchObject({ verdict: 'ok', notOkSince: null, brokenSince: null });
    expect((await listChecks(id, { limit: 10 })).map(({ verdict }) => verdict)).toEqual(['ok', 'broken']);
    await approve(offer);
    await expectSoundBooks();
  });

  it('with a reason is approved by the clock only after a check finds the link in order', async () => {
    const offer = await acceptedOffer();
    const url = `https://${newHost()}/article`;
    await publish(url, { change: 'nofollow' });
    await deliverPage(offer, url, reason);
    await passLinkTime(offer.id, 8 * 24 * 3_600_000);
    await runPlacementClocks();
    expect((await placementOf(offer.id)).state).toBe('delivered');
    await checkLink(offer.id, 'ok');
    await runPlacementClocks();
    expect((await placementOf(offer.id)).state).toBe('approved');
    await expectSoundBooks();
  });

  it('of a page that cannot be opened is refused also with a reason and by staff', async () => {
    const offer = await acceptedOffer();
    const [missing, unknown, internal] = [`https://${newHost()}/not-found`, newHost(), newHost()];
    await setName(unknown, []);
    await setName(internal, ['10.0.0.1']);
    const admin = await makeUser('Admin');
    for (const url of [missing, `https://${unknown}/article`, `https://${internal}/article`]) {
      const refusal = { code: 'link_not_in_order', details: { check: { delivery: 'refused' } } };
      await expect(deliverPage(offer, url, reason)).rejects.toMatchObject(refusal);
      await expect(actByStaff(admin, offer.id, { action: 'deliver', url, reason })).rejects.toMatchObject(refusal);
      const save = updateOrder(admin, offer.id, { linkUrl: url, adminComments: reason });
      await expect(save).rejects.toMatchObject({ ...refusal, details: { fields: { linkUrl: expect.any(String) } } });
    }
    const check = await checkDelivery(offer.seller, offer.id, `https://${unknown}/article`);
    expect(check.judgement?.evidence.reasons).toEqual(['dns']);
    expect((await placementOf(offer.id)).state).toBe('accepted');
  });

  it('of an order without a target needs no link, but a page that opens', async () => {
    const { id, seller } = await acceptedOffer();
    await db().update(orderBriefs).set({ targetUrl: '' }).where(eq(orderBriefs.orderId, id));
    await db().update(orders).set({ projectTargetUrl: '' }).where(eq(orders.id, id));
    const url = `https://${newHost()}/article`;
    await publish(url, noLink);
    expect(deliveryCheckView(await checkDelivery(seller, id, url))).toMatchObject({ delivery: 'allowed', reasons: [] });
    await publish(url, { status: 404 });
    expect((await checkDelivery(seller, id, url)).judgement?.evidence.reasons).toEqual(['page_missing']);
  });

  it('that takes too long is a time-out, which a reason delivers', async () => {
    const offer = await acceptedOffer();
    const url = `https://${newHost()}/article`;
    await publish(url, { change: 'hanging' });
    const check = await checkDelivery(offer.seller, offer.id, url, { deadlineMs: 400 });
    expect(deliveryCheckView(check)).toMatchObject({ delivery: 'with_reason', status: null, reasons: ['timeout'] });
    await actAsSeller(offer.seller, offer.id, {}, (tx, locked) =>
      deliverPlacement(tx, offer.seller, locked, { role: 'seller', check, reason }),
    );
    expect(await watchOf(offer.id)).toMatchObject({ verdict: 'unknown' });
  });

  it('is made once of two at the same time, and not after the order or its brief changed during the check', async () => {
    const twice = await acceptedOffer();
    const url = `https://${newHost()}/article`;
    await publish(url, {});
    const results = await Promise.allSettled([deliverPage(twice, url), deliverPage(twice, url)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await listChecks(twice.id, { limit: 10 })).toHaveLength(1);

    await publish(url, { delayMs: 500 });
    const canceled = await acceptedOffer();
    await release(canceled);
    const delivery = deliverPage(canceled, url);
    await wait(100);
    await cancel(canceled);
    await expect(delivery).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('cancelled') });

    const changed = await acceptedOffer();
    const check = await checkDelivery(changed.seller, changed.id, url);
    await db().update(orderBriefs).set({ anchor: 'another text' }).where(eq(orderBriefs.orderId, changed.id));
    const stale = actAsSeller(changed.seller, changed.id, {}, (tx, locked) =>
      deliverPlacement(tx, changed.seller, locked, { role: 'seller', check }),
    );
    await expect(stale).rejects.toMatchObject({ code: 'conflict' });
  });

  it('by staff of a live link is checked as well, and a new comment to the buyer is the reason', async () => {
    const offer = await acceptedOffer();
    const admin = await makeUser('Admin');
    const url = `https://${newHost()}/article`;
    await publish(url, noLink);
    const save = (adminComments?: string) =>
      updateOrder(admin, offer.id, { status: 'Live', linkUrl: url, adminComments });
    await expect(save()).rejects.toMatchObject({
      code: 'link_not_in_order',
      details: { fields: { linkUrl: expect.stringContaining('comment to the buyer') } },
    });
    expect(await save(reason)).toMatchObject({ status: 'Live', placement: { deliveryReason: reason } });
    await expectSoundBooks();
  });

  it('is checked only for its seller, and only on the ordered domain', async () => {
    const { id, seller } = await acceptedOffer();
    const other = await makeUser('Seller');
    const url = `https://${newHost()}/article`;
    await expect(checkDelivery(other, id, url)).rejects.toMatchObject({ code: 'not_found' });
    await expect(checkDelivery(seller, id, 'https://elsewhere.org/a')).rejects.toMatchObject({ code: 'unprocessable' });
    await expect(checkDelivery(seller, (await makeOffer(1_000, {}, { seller })).id, url)).rejects.toMatchObject({
      code: 'conflict',
    });
  });
});
