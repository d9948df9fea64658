import { and, eq, inArray, lt, sql } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { type LinkVerdict, linkChecks, linkHosts, linkWatches } from '@/db/schema/links';
import { mails } from '@/db/schema/mails';
import { notices } from '@/db/schema/notices';
import { placementEvents } from '@/db/schema/placements';
import { settings } from '@/db/schema/settings';
import { getAttention } from '@/lib/dashboard/attention';
import { linkCheckView, listChecks, listWatches } from '@/lib/orders/link-checks/queries';
import { checkLinkNow, runLinkChecks } from '@/lib/orders/link-checks/run';
import { updateOrder } from '@/lib/orders/order/update';
import { makeOrder } from '@/tests/factories/make-order';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { deliverOffer, leaveCheckToJob, passLinkTime, watchOf } from '@/tests/setup/link-checks';
import { startInstance } from '@/tests/setup/link-checks-instance';
import { approve, deliver, placementOf, revise } from '@/tests/setup/placement-verbs';
import { startPublisher } from '@/tests/setup/start-publisher';

const { control, getPublisherUrl } = startPublisher();
afterEach(() => db().delete(settings).where(eq(settings.key, 'placement-rules')));

const day = 86_400_000;
const target = 'https://project.example/page';
const link = `<a href="${target}">the shop</a>`;

type Page = { html?: string; status?: number; headers?: object; redirect?: string; delayMs?: number; change?: string };

const publish = (url: string, page: Page = {}) => control('PUT', '/control/pages', { url, html: link, ...page });

/** The paths that were requested from a host, without robots.txt. */
async function requestsOf(host: string): Promise<string[]> {
  const requests = z.array(z.object({ url: z.string() })).parse(await control('GET', `/control/requests?host=${host}`));
  return requests.map(({ url }) => new URL(url).pathname).filter((path) => path !== '/robots.txt');
}

let hosts = 0;
/** A host that no other test uses: its robots.txt and its requests are remembered. */
const newHost = () => `blog-${++hosts}.example.com`;

let paths = 0;
const newPath = () => `${++paths}`;

/** Delivers an order whose page has the link, and leaves its first check to the job. */
async function deliverTo(url: string, page: Page = {}) {
  await publish(url, page);
  const offer = await deliverOffer(10_000, url);
  await leaveCheckToJob(offer.id);
  await db().update(linkWatches).set({ targetUrl: target }).where(eq(linkWatches.orderId, offer.id));
  return offer;
}

const makeDue = (ids: number[]) =>
  db().update(linkWatches).set({ nextCheckAt: sql`now()` }).where(inArray(linkWatches.orderId, ids));
/** The checks after the one of the delivery. */
const checksOf = async (orderId: number) =>
  (await listChecks(orderId, { limit: 100 })).filter(({ cause, actorId }) => cause !== 'delivery' || actorId === null);

describe('a check that is due', () => {
  const url = (path: string) => `https://verdicts.example.com/${path}`;
  const noindex = `<meta name="robots" content="noindex">${link}`;
  const cases: [name: string, page: Page, verdict: LinkVerdict, evidence: object][] = [
    ['finds the link', {}, 'ok', { status: 200, found: true, anchor: 'the shop', indexable: true, reasons: [] }],
    ['sees another rel', { change: 'nofollow' }, 'changed', { found: true, rel: 'nofollow', reasons: ['rel_changed'] }],
    ['sees noindex', { html: noindex }, 'changed', { found: true, indexable: false, reasons: ['noindex_meta'] }],
    ['misses the link', { change: 'lost' }, 'broken', { status: 200, found: false, reasons: ['link_missing'] }],
    ['misses the page', { status: 404 }, 'broken', { status: 404, reasons: ['page_missing'] }],
    [
      'is led to another website',
      { change: 'redirected' },
      'broken',
      { finalUrl: 'https://domain-for-sale.example.net/', reasons: ['other_domain'] },
    ],
    ['is refused', { change: 'forbidden' }, 'unknown', { status: 403, found: false, reasons: ['status'] }],
    ['waits in vain', { change: 'hanging' }, 'unknown', { status: null, indexable: null, reasons: ['timeout'] }],
  ];

  it('is recorded with its verdict and evidence', async () => {
    const ids: number[] = [];
    for (const [name, page] of cases) {
      const offer = await deliverTo(url(name.replaceAll(' ', '-')), page);
      ids.push(offer.id);
    }
    await db().update(linkWatches).set({ rel: 'dofollow' }).where(inArray(linkWatches.orderId, ids));
    expect(await runLinkChecks()).toEqual({ checked: cases.length, postponed: 0, failed: 0 });
    for (const [index, [name, , verdict, evidence]] of cases.entries()) {
      const id = ids[index] ?? 0;
      const [check] = await checksOf(id);
      expect(check && linkCheckView(check), name).toMatchObject({ verdict, cause: 'delivery', evidence });
      expect(await watchOf(id), name).toMatchObject({
        verdict,
        checkedAt: check?.at,
        nextCause: 'schedule',
        retries: 0,
      });
    }
    const redirected = (await checksOf(ids[5] ?? 0))[0];
    expect(redirected?.redirects).toEqual([
      { status: 301, from: url('is-led-to-another-website'), to: 'https://domain-for-sale.example.net/' },
    ]);
  });

  it('requests no page that robots.txt disallows, and none of a name that leads to a private address', async () => {
    const [closed, inner] = [newHost(), newHost()];
    await publish(`https://${closed}/robots.txt`, {
      html: 'User-agent: LinkMarketBot\nDisallow: /',
      headers: { 'content-type': 'text/plain' },
    });
    await control('PUT', '/control/names', { name: inner, addresses: ['10.0.0.1'] });
    const offers = [await deliverTo(`https://${closed}/a`), await deliverTo(`https://${inner}/a`)];
    await runLinkChecks();
    const reasons = await Promise.all(offers.map(async ({ id }) => (await checksOf(id))[0]));
    expect(reasons).toMatchObject([
      { verdict: 'unknown', status: null, reasons: ['robots_disallowed'] },
      { verdict: 'unknown', status: null },
    ]);
    expect([await requestsOf(closed), await requestsOf(inner)]).toEqual([[], []]);
  });

  it('of a delivery comes before all others that are due', async () => {
    const host = newHost();
    const older: number[] = [];
    for (let part = 0; part < 28; part += 1) older.push((await deliverTo(`https://${host}/${part}`)).id);
    await db().update(linkWatches).set({ nextCause: 'schedule' }).where(inArray(linkWatches.orderId, older));
    for (const part of older.keys()) await publish(`https://${host}/${part}`, { delayMs: 400 });
    const offer = await deliverTo(`https://${newHost()}/new`);
    expect(await runLinkChecks()).toMatchObject({ checked: 29 });
    const { checkedAt } = await watchOf(offer.id);
    const earlier = and(inArray(linkWatches.orderId, older), lt(linkWatches.checkedAt, checkedAt ?? new Date(0)));
    // An instance checks 16 at the same time, longest due first.
    expect(await db().$count(linkWatches, earlier)).toBeLessThan(16);
  });
});

it('the schedule is days 1, 3 and 7, and then weekly until the end of the guarantee', async () => {
  const offer = await deliverTo(`https://${newHost()}/article`);
  await approve(offer);
  const checkedAfter: number[] = [];
  let passedMs = 0;
  for (;;) {
    await runLinkChecks();
    checkedAfter.push(passedMs / day);
    const { nextCheckAt } = await watchOf(offer.id);
    if (!nextCheckAt) break;
    const waitMs = nextCheckAt.getTime() - Date.now() + 1_000;
    passedMs += waitMs;
    await passLinkTime(offer.id, waitMs);
  }
  const days = [0, 1, 3, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 84, 90];
  expect(checkedAfter).toHaveLength(days.length);
  // A first check is at most an hour later, a weekly one at most a day.
  for (const [index, at] of days.entries()) {
    expect(checkedAfter[index]).toBeGreaterThan(at - 0.001);
    expect(checkedAfter[index]).toBeLessThan(at + (at > 7 && at < 90 ? 1 : 1 / 24) + 0.01);
  }
  expect(await checksOf(offer.id)).toHaveLength(days.length);
  const { state, ripenedCents, sellerCents } = await placementOf(offer.id);
  expect({ state, ripenedCents }).toEqual({ state: 'closed', ripenedCents: sellerCents });
  await expectSoundBooks();
});

describe('several instances', () => {
  it('check each link once, and share the requests to a host in an hour', async () => {
    await db()
      .insert(settings)
      .values({ key: 'placement-rules', value: { checksPerHostHour: 7 } });
    const [limited, ...free] = [newHost(), newHost(), newHost(), newHost()];
    const pages = [
      ...Array.from({ length: 18 }, (_, part) => `https://${limited}/${part}`),
      ...free.flatMap((host) => Array.from({ length: 5 }, (_, part) => `https://${host}/${part}`)),
    ];
    const ids: number[] = [];
    for (const page of pages) ids.push((await deliverTo(page, { delayMs: 20 })).id);
    const others = [startInstance(getPublisherUrl()), startInstance(getPublisherUrl())];
    const runs = await Promise.all([...others.map(({ run }) => run()), runLinkChecks(), runLinkChecks()]);
    const sum = (key: keyof (typeof runs)[number]) => runs.reduce((all, counts) => all + counts[key], 0);
    expect({ checked: sum('checked'), postponed: sum('postponed'), failed: sum('failed') }).toEqual({
      checked: 7 + 15,
      postponed: 11,
      failed: 0,
    });
    expect(runs.filter(({ checked, postponed }) => checked + postponed > 0).length).toBeGreaterThan(1);
    for (const host of free) expect((await requestsOf(host)).toSorted()).toEqual(['/0', '/1', '/2', '/3', '/4']);
    expect(new Set(await requestsOf(limited ?? '')).size).toBe(7);

    // What is above the limit waits for the next hour, and no longer.
    const waiting = await db()
      .select()
      .from(linkWatches)
      .where(and(eq(linkWatches.host, limited ?? ''), eq(linkWatches.nextCause, 'delivery')));
    expect(waiting).toHaveLength(11);
    const nextHour = Math.ceil(Date.now() / 3_600_000) * 3_600_000;
    for (const { nextCheckAt } of waiting) {
      expect(nextCheckAt?.getTime()).toBeGreaterThanOrEqual(nextHour);
      expect(nextCheckAt?.getTime()).toBeLessThan(nextHour + 3_600_000);
    }
    await db()
      .update(linkHosts)
      .set({ hour: sql`${linkHosts.hour} - interval '1 hour'` });
    await makeDue(waiting.map(({ orderId }) => orderId));
    const again = await Promise.all([...others.map(({ run }) => run()), runLinkChecks()]);
    expect(again.reduce((all, { checked }) => all + checked, 0)).toBe(7);
    expect(await requestsOf(limited ?? '')).toHaveLength(14);
    for (const { kill } of others) await kill();
    await db().update(linkWatches).set({ nextCheckAt: null }).where(inArray(linkWatches.orderId, ids));
  });

  it('book what is above the limit of a host for the first hours with room, and claim each twice', async () => {
    await db()
      .insert(settings)
      .values({ key: 'placement-rules', value: { checksPerHostHour: 3 } });
    const host = newHost();
    const schedule = async (count: number) => {
      const ids: number[] = [];
      for (let part = 0; part < count; part += 1) ids.push((await deliverTo(`https://${host}/${newPath()}`)).id);
      await db().update(linkWatches).set({ nextCause: 'schedule' }).where(inArray(linkWatches.orderId, ids));
      return ids;
    };
    const ids = await schedule(10);
    const thisHour = () => Math.floor(Date.now() / 3_600_000);
    /** The number of links that wait for each of the coming hours. */
    const waiting = async () => {
      const rows = await db()
        .select({ at: linkWatches.nextCheckAt })
        .from(linkWatches)
        .where(and(eq(linkWatches.host, host), lt(linkWatches.nextCheckAt, sql`now() + interval '10 hours'`)));
      const hours = rows.map(({ at }) => Math.floor((at?.getTime() ?? 0) / 3_600_000) - thisHour());
      return [1, 2, 3, 4].map((hour) => hours.filter((one) => one === hour).length);
    };
    const passHour = async () => {
      await db()
        .update(linkHosts)
        .set({ hour: sql`${linkHosts.hour} - interval '1 hour'` });
      await db()
        .update(linkWatches)
        .set({ nextCheckAt: sql`${linkWatches.nextCheckAt} - interval '1 hour'` })
        .where(and(eq(linkWatches.host, host), lt(linkWatches.nextCheckAt, sql`now() + interval '10 hours'`)));
      await db()
        .update(linkWatches)
        .set({ nextCheckAt: sql`now()` })
        .where(
          and(
            eq(linkWatches.host, host),
            lt(linkWatches.nextCheckAt, sql`date_trunc('hour', now()) + interval '1 hour'`),
          ),
        );
    };
    expect(await runLinkChecks()).toEqual({ checked: 3, postponed: 7, failed: 0 });
    expect(await waiting()).toEqual([3, 3, 1, 0]);
    await passHour();
    ids.push(...(await schedule(2)));
    expect(await runLinkChecks()).toEqual({ checked: 3, postponed: 2, failed: 0 });
    expect(await waiting()).toEqual([3, 3, 0, 0]);
    for (const left of [3, 0]) {
      await passHour();
      expect(await runLinkChecks()).toEqual({ checked: 3, postponed: 0, failed: 0 });
      expect(await waiting()).toEqual([left, 0, 0, 0]);
    }
    expect(new Set(await requestsOf(host)).size).toBe(12);
    await db().update(linkWatches).set({ nextCheckAt: null }).where(inArray(linkWatches.orderId, ids));
  });

  it('take over a check of an instance that crashed, after its lease', async () => {
    const host = newHost();
    const { id } = await deliverTo(`https://${host}/slow`, { delayMs: 5_000 });
    const instance = startInstance(getPublisherUrl());
    void instance.run();
    await expect.poll(() => requestsOf(host)).toEqual(['/slow']);
    await instance.kill();
    const leased = await watchOf(id);
    expect(leased).toMatchObject({ retries: 1, verdict: null });
    const leftMs = (leased.nextCheckAt?.getTime() ?? 0) - Date.now();
    expect(leftMs).toBeGreaterThan(60_000);
    expect(leftMs).toBeLessThan(120_000);
    expect(await runLinkChecks()).toMatchObject({ checked: 0 });
    await publish(`https://${host}/slow`);
    await passLinkTime(id, 120_000);
    expect(await runLinkChecks()).toMatchObject({ checked: 1 });
    expect(await checksOf(id)).toHaveLength(1);
    expect(await watchOf(id)).toMatchObject({ retries: 0, verdict: 'ok' });
  });
});

describe('a link that changes during its check', () => {
  it.each([
    ['another page', '/second'],
    ['the same page again', '/first'],
  ])('discards the result when the seller delivers %s', async (_, path) => {
    const host = newHost();
    const offer = await deliverTo(`https://${host}/first`, { delayMs: 3_000, change: 'lost' });
    const running = runLinkChecks();
    await expect.poll(() => requestsOf(host)).toEqual(['/first']);
    await publish(`https://${host}${path}`);
    await revise(offer);
    await deliver(offer, `https://${host}${path}`);
    await running;
    expect(await checksOf(offer.id)).toEqual([]);
    expect(await watchOf(offer.id)).toMatchObject({
      verdict: 'ok',
      pageUrl: `https://${host}${path}`,
      brokenSince: null,
    });
  });
});

const newsOf = async (orderId: number, action: string) =>
  (await db().select().from(placementEvents).where(eq(placementEvents.orderId, orderId))).filter(
    (event) => event.action === action,
  ).length;
const noticesOf = async (orderId: number) =>
  (await db().select({ kind: notices.kind }).from(notices).where(eq(notices.orderId, orderId)))
    .map(({ kind }) => kind)
    .filter((kind) => kind.includes('link_'))
    .toSorted();

describe('checks of the buyer and of the schedule at the same time', () => {
  it('ripen each day once, and announce a loss and a repair once', async () => {
    const url = `https://${newHost()}/article`;
    const offer = await deliverTo(url);
    const { id, buyer } = offer;
    await runLinkChecks();
    await approve(offer);
    const checkAtOnce = async () => {
      await makeDue([id]);
      const own = () => checkLinkNow(buyer, id, { buyer }, 'buyer');
      await Promise.all([runLinkChecks(), own(), own()]);
    };
    await passLinkTime(id, 30 * day);
    await checkAtOnce();
    const { sellerCents, ripenedCents } = await placementOf(id);
    const first = Math.floor(sellerCents * 0.4);
    expect(ripenedCents).toBe(first + Math.floor((sellerCents - first) / 3));

    await publish(url, { change: 'lost' });
    await checkAtOnce();
    expect(await noticesOf(id)).toEqual([]);
    await passLinkTime(id, 25 * 3_600_000);
    await checkAtOnce();
    await checkAtOnce();
    expect(await newsOf(id, 'link_broken')).toBe(1);
    expect(await noticesOf(id)).toEqual(['order.link_broken', 'placement.link_broken']);
    await publish(url);
    await checkAtOnce();
    expect(await newsOf(id, 'link_repaired')).toBe(1);
    expect((await placementOf(id)).ripenedCents).toBe(ripenedCents);
    expect(await checksOf(id)).toHaveLength(1 + 5 * 3);
    await expectSoundBooks();
  });

  it('announces a change and its repair once, with unknown and missing results in between', async () => {
    const url = `https://${newHost()}/article`;
    const offer = await deliverTo(url);
    const { id } = offer;
    await approve(offer);
    for (const change of [
      undefined,
      'noindex',
      'forbidden',
      'noindex',
      'lost',
      'noindex',
      'lost',
      'forbidden',
      undefined,
    ]) {
      await publish(url, change === undefined ? {} : { change });
      await makeDue([id]);
      await runLinkChecks();
    }
    expect(await noticesOf(id)).toEqual([
      'order.link_changed',
      'order.link_repaired',
      'placement.link_changed',
      'placement.link_repaired',
    ]);
  });
});

describe('a link of an order that staff fulfill', () => {
  it('is checked without money, and its buyer learns once that it is missing', async () => {
    const url = `https://${newHost()}/staff`;
    await publish(url, { change: 'lost' });
    const admin = await makeUser('Admin');
    const { id, buyer } = await makeOrder(5_000);
    await updateOrder(admin, id, { status: 'Live', linkUrl: url });
    await runLinkChecks();
    expect(await noticesOf(id)).not.toContain('order.link_broken');
    for (let days = 0; days < 3; days += 1) {
      await passLinkTime(id, 25 * 3_600_000);
      await runLinkChecks();
    }
    expect((await noticesOf(id)).filter((kind) => kind === 'order.link_broken')).toHaveLength(1);
    const sent = await db().select().from(mails).where(eq(mails.recipient, buyer.email));
    expect(sent.filter(({ kind }) => kind === 'order-link-check')).toHaveLength(1);
    expect(await db().$count(linkChecks, eq(linkChecks.orderId, id))).toBe(4);
  });

  it('appears on the dashboard of staff when no check could judge it for 14 days', async () => {
    const url = `https://${newHost()}/walled`;
    await publish(url, { change: 'forbidden' });
    const { id } = await makeOrder(5_000);
    await updateOrder(await makeUser('Admin'), id, { status: 'Live', linkUrl: url });
    await runLinkChecks();
    const before = (await getAttention()).unknownLinks.total;
    for (const days of [1, 6, 6.9]) {
      await passLinkTime(id, days * day);
      await runLinkChecks();
    }
    expect((await getAttention()).unknownLinks.total).toBe(before);
    await passLinkTime(id, day);
    expect((await getAttention()).unknownLinks.total).toBe(before + 1);
    const { rows } = await listWatches({ verdict: 'unknown', limit: 100, offset: 0 });
    expect(rows.find((row) => row.id === id)).toMatchObject({ reasons: ['status'], pageUrl: url });
  });
});
