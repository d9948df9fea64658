import { createPublicKey, verify } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { rateLimits } from '@/db/schema/limits';
import { linkWatches } from '@/db/schema/links';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { limits } from '@/lib/platform/rate-limits/limits';
import { makeAccount } from '@/tests/factories/make-account';
import { makeOffer } from '@/tests/factories/make-offer';
import { openClient } from '@/tests/setup/http-client';
import { accept, approve, deliver } from '@/tests/setup/placement-verbs';
import { publishPage } from '@/tests/setup/publisher';

const people = { buyer: 'Quilla Buyer', seller: 'Sorrel Seller' };
let buyer: Actor;
let seller: Actor;
let admin: Actor;
const clients = { buyer: openClient(), seller: openClient(), admin: openClient(), stranger: openClient() };

/** Unusual shares, so that no other number in a response is one of them by chance. */
const [chargeCents, sellerCents] = [43_217, 28_931];
const amount = (cents: number) => [String(cents), (cents / 100).toFixed(2), (cents / 100).toLocaleString('en-US')];
const secrets: Record<'buyer' | 'seller' | 'both', string[]> = { buyer: [], seller: [], both: [] };

beforeAll(async () => {
  [buyer, seller, admin] = [
    await makeAccount({ name: people.buyer }),
    await makeAccount({ name: people.seller, role: 'Seller' }),
    await makeAccount({ role: 'Admin' }),
  ];
  await clients.buyer.signIn('user', buyer.email);
  await clients.seller.signIn('seller', seller.email);
  await clients.admin.signIn('admin', admin.email);
  await clients.stranger.signIn('user', (await makeAccount()).email);
  const margin = amount(chargeCents - sellerCents);
  secrets.buyer = [people.buyer, buyer.email, buyer.userId, ...amount(chargeCents), ...margin];
  secrets.seller = [people.seller, seller.email, seller.userId, ...amount(sellerCents), ...margin];
  secrets.both = [...secrets.buyer, ...secrets.seller];
});

const target = 'https://shop.example.com/spades';
const link = (rel = '') => `<a href="${target}"${rel && ` rel="${rel}"`}>garden spades</a>`;
const article = (content: string) =>
  `<!doctype html><title>Spades</title><p>What to know about garden tools: ${content}. ${'More about tools. '.repeat(20)}</p>`;

type Page = { html?: string; status?: number; delayMs?: number; redirect?: string };

const publish = (url: string, page: Page) => publishPage({ url, ...page });

/** An offer of the seller to the buyer, not delivered. Each has its own website. */
async function offer() {
  const site = { sellerPriceCents: sellerCents };
  const { id } = await makeOffer(chargeCents, site, { buyer, seller });
  return { id, buyer, seller, url: `https://${newId()}.example.com/spades` };
}

/** A delivery of a page. The page is published before, so that the app's own check finds it too. */
async function deliverPage(page: Page = { html: article(link()) }) {
  const made = await offer();
  await publish(made.url, page);
  await accept(made);
  await deliver(made, made.url);
  return made;
}

async function cancel(id: number): Promise<void> {
  const body = { action: 'cancel', reason: 'The buyer withdrew' };
  const answer = await clients.admin.post(`/api/admin/orders/${id}/placement`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}

const listed = z.array(z.object({ id: z.int(), cause: z.string(), verdict: z.string() }));
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const expectNothingOf = (body: unknown, side: keyof typeof secrets) => {
  for (const secret of secrets[side]) expect(JSON.stringify(body)).not.toContain(secret);
};
const read = async (client: (typeof clients)['buyer'], path: string) => {
  const { status, body } = await client.get(path);
  expect(status, `${path} ${JSON.stringify(body)}`).toBe(200);
  return body;
};

describe('POST /api/orders/{id}/checks', () => {
  it('answers what the check found, and the list contains it', async () => {
    const { id, url } = await deliverPage();
    const { status, body } = await clients.buyer.post(`/api/orders/${id}/checks`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.any(Number),
      verdict: 'ok',
      checkedAt: isoTime,
      cause: 'buyer',
      pageUrl: url,
      evidence: {
        ...{ status: 200, finalUrl: url, redirects: [], found: true },
        ...{ rel: '', anchor: 'garden spades', indexable: true, reasons: [] },
      },
    });
    expectNothingOf(body, 'both');
    const checks = await read(clients.buyer, `/api/orders/${id}/checks`);
    expect(checks).toContainEqual(body);
    expectNothingOf(checks, 'both');
  });

  it.each([
    ['changed', { html: article(link('nofollow sponsored')) }, { rel: 'nofollow sponsored', reasons: ['rel_changed'] }],
    ['broken', { html: article('') }, { status: 200, found: false, rel: '', anchor: '', reasons: ['link_missing'] }],
    ['broken', { status: 410 }, { status: 410, found: false, indexable: null, reasons: ['page_missing'] }],
    ['unknown', { status: 403 }, { status: 403, found: false, indexable: null, reasons: ['status'] }],
  ] as const)('answers %s with its evidence: %j', async (verdict, page, evidence) => {
    const made = await deliverPage(page);
    await db().update(linkWatches).set({ rel: 'dofollow' }).where(eq(linkWatches.orderId, made.id));
    const answer = await clients.buyer.post(`/api/orders/${made.id}/checks`);
    expect(answer).toMatchObject({ status: 200, body: { verdict, evidence } });
  });

  it('answers each redirect on the way', async () => {
    const { id, url } = await deliverPage({ redirect: '/moved', status: 308 });
    await publish(new URL('/moved', url).href, { html: article(link()) });
    const moved = new URL('/moved', url).href;
    expect((await clients.buyer.post(`/api/orders/${id}/checks`)).body).toMatchObject({
      verdict: 'ok',
      evidence: { status: 200, finalUrl: moved, redirects: [{ status: 308, from: url, to: moved }] },
    });
  });

  it('answers 409 for an order whose link is not delivered, or no longer checked', async () => {
    const offered = await offer();
    const path = `/api/orders/${offered.id}/checks`;
    const early = `Order #${offered.id} has no link to check yet.`;
    expect(await clients.buyer.post(path)).toMatchObject({ status: 409, body: { error: early } });
    expect(await read(clients.buyer, path)).toEqual([]);
    const { id } = await deliverPage();
    expect((await clients.buyer.post(`/api/orders/${id}/checks`)).status).toBe(200);
    await cancel(id);
    const late = `The link of order #${id} is no longer checked: the order or its guarantee has ended.`;
    expect(await clients.buyer.post(`/api/orders/${id}/checks`)).toMatchObject({ status: 409, body: { error: late } });
    expect(listed.parse(await read(clients.buyer, `/api/orders/${id}/checks`)).length).toBeGreaterThan(0);
  });

  it('answers 409 and records nothing when another page was delivered during the check', async () => {
    const { id, url } = await deliverPage();
    await clients.buyer.post(`/api/orders/${id}/checks`);
    await publish(url, { html: article(link()), delayMs: 1_500 });
    const answer = clients.buyer.post(`/api/orders/${id}/checks`);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const other = `${url}-again`;
    await publish(other, { html: article(link()) });
    await db()
      .update(linkWatches)
      .set({ pageUrl: other, version: sql`${linkWatches.version} + 1` })
      .where(eq(linkWatches.orderId, id));
    expect(await answer).toMatchObject({ status: 409, body: { error: expect.stringContaining('Try again.') } });
  });

  it('is limited in an hour, for both sides of an order', async () => {
    const other = { buyer: await makeAccount(), seller: await makeAccount({ role: 'Seller' }) };
    const made = { ...(await makeOffer(10_000, {}, other)), url: `https://${newId()}.example.com/spades` };
    await publish(made.url, { html: article(link()) });
    await accept(made);
    await deliver(made, made.url);
    const resetsAt = sql`now() + interval '30 minutes'`;
    for (const [portal, { email, userId }, path] of [
      ['user', other.buyer, `/api/orders/${made.id}/checks`],
      ['seller', other.seller, `/api/seller/orders/${made.id}/repaired`],
      ['admin', await makeAccount({ role: 'Admin' }), `/api/admin/orders/${made.id}/checks`],
    ] as const) {
      const client = openClient();
      await client.signIn(portal, email);
      const key = `linkCheck:account:${userId}`;
      await db()
        .insert(rateLimits)
        .values({ key, count: limits.linkCheck.account.max - 1, resetsAt });
      expect((await client.post(path)).status, path).toBe(200);
      const { status, headers } = await client.post(path);
      expect([path, status]).toEqual([path, 429]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(1_000);
    }
  });

  it('answers 404 to other users, also to the seller and staff', async () => {
    const { id } = await deliverPage();
    for (const client of [clients.stranger, clients.seller, clients.admin]) {
      for (const method of ['GET', 'POST']) {
        expect((await client.request(`/api/orders/${id}/checks`, { method })).status).toBe(404);
      }
    }
    expect((await clients.buyer.post('/api/orders/999999999/checks')).status).toBe(404);
  });
});

it('GET /api/orders/{id}/checks lists the newest first, in pages', async () => {
  const { id } = await deliverPage();
  for (let count = 0; count < 3; count++) await clients.buyer.post(`/api/orders/${id}/checks`);
  const path = `/api/orders/${id}/checks`;
  const all = listed.parse(await read(clients.buyer, path));
  expect(all.map((check) => check.id)).toEqual(all.map((check) => check.id).sort((one, other) => other - one));
  const [first, second] = all;
  expect(listed.parse(await read(clients.buyer, `${path}?limit=1`))).toEqual([first]);
  expect(listed.parse(await read(clients.buyer, `${path}?limit=1&before=${first?.id}`))).toEqual([second]);
  for (const query of ['limit=0', 'limit=101', 'before=0', 'before=x']) {
    expect((await clients.buyer.get(`${path}?${query}`)).status, query).toBe(400);
  }
});

describe('POST /api/seller/orders/{id}/repaired', () => {
  it('checks the link of the own order, and tells the seller nothing of the buyer', async () => {
    const { id, url } = await deliverPage({ html: article('') });
    const lost = await clients.seller.post(`/api/seller/orders/${id}/repaired`);
    expect(lost).toMatchObject({ status: 200, body: { verdict: 'broken', cause: 'repair' } });
    await publish(url, { html: article(link()) });
    const repaired = await clients.seller.post(`/api/seller/orders/${id}/repaired`);
    expect(repaired).toMatchObject({ status: 200, body: { verdict: 'ok', cause: 'repair' } });
    expectNothingOf([lost.body, repaired.body], 'buyer');
    const seen = await read(clients.buyer, `/api/orders/${id}/checks`);
    expect(listed.parse(seen).filter(({ cause }) => cause === 'repair')).toHaveLength(2);
    expectNothingOf(seen, 'seller');
  });

  it('is not for orders of others, orders without a link, buyers and staff', async () => {
    const { id } = await offer();
    expect((await clients.seller.post(`/api/seller/orders/${id}/repaired`)).status).toBe(409);
    const other = await makeOffer();
    for (const unknown of [other.id, 999_999_999]) {
      expect((await clients.seller.post(`/api/seller/orders/${unknown}/repaired`)).status).toBe(404);
    }
    for (const client of [clients.buyer, clients.admin]) {
      expect((await client.post(`/api/seller/orders/${id}/repaired`)).status).toBe(403);
    }
  });
});

describe('staff', () => {
  it('check the link of any order, and read its checks', async () => {
    const { id } = await deliverPage();
    const path = `/api/admin/orders/${id}/checks`;
    const { status, body } = await clients.admin.post(path);
    expect([status, body]).toEqual([200, expect.objectContaining({ verdict: 'ok', cause: 'staff' })]);
    expect(await read(clients.admin, path)).toContainEqual(body);
    for (const client of [clients.buyer, clients.seller]) {
      for (const method of ['GET', 'POST']) expect((await client.request(path, { method })).status).toBe(403);
    }
    expect((await clients.admin.post('/api/admin/orders/999999999/checks')).status).toBe(404);
    expect((await clients.admin.post(`/api/admin/orders/${(await offer()).id}/checks`)).status).toBe(409);
  });

  it('list the links of a verdict with what was found', async () => {
    const { id, url } = await deliverPage({ status: 403 });
    await clients.buyer.post(`/api/orders/${id}/checks`);
    const page = z.object({ links: z.array(z.looseObject({ orderId: z.int() })), total: z.int() });
    const list = async (query: string) =>
      page.parse(await read(clients.admin, `/api/admin/link-checks?limit=100${query}`));
    const own = ({ links }: z.output<typeof page>) => links.find(({ orderId }) => orderId === id);
    const unknown = await list('&verdict=unknown');
    expect(own(unknown)).toEqual({
      ...{ orderId: id, website: expect.any(String), packageName: '', buyerEmail: buyer.email, fulfilledBy: 'seller' },
      ...{ pageUrl: url, targetUrl: target, verdict: 'unknown', checkedAt: isoTime, reasons: ['status'] },
      ...{ notOkSince: null, brokenConfirmedAt: null, repairDueAt: null, unknownSince: isoTime, nextCheckAt: isoTime },
    });
    expect(new Set(unknown.links.map(({ verdict }) => verdict))).toEqual(new Set(['unknown']));
    expect(own(await list(''))).toBeDefined();
    expect((await clients.admin.get('/api/admin/link-checks?verdict=nonsense')).status).toBe(400);
    expect(own(await list('&verdict=ok'))).toBeUndefined();
    for (const client of [clients.buyer, clients.seller]) {
      expect((await client.get('/api/admin/link-checks')).status).toBe(403);
    }
  });
});

describe("an order's placement", () => {
  const fields = z.object({
    check: z.object({ verdict: z.string(), checkedAt: z.string() }).nullable(),
    guaranteeEndsAt: z.string().nullable(),
    proofId: z.string().nullable(),
  });
  const ofBuyer = async (id: number) =>
    z.looseObject({ placement: z.looseObject({}) }).parse(await read(clients.buyer, `/api/orders/${id}`)).placement;
  const ofSeller = async (id: number) =>
    z.looseObject({}).parse(await read(clients.seller, `/api/seller/orders/${id}`));

  it('has no check before the delivery', async () => {
    const { id } = await offer();
    const none = { check: null, guaranteeEndsAt: null, proofId: null };
    expect(fields.parse(await ofBuyer(id))).toEqual(none);
    expect(await ofSeller(id)).toMatchObject({ ...none, ripeCents: 0 });
  });

  it('has the newest check, the guarantee and the passport; only the seller sees what is payable', async () => {
    const made = await deliverPage();
    await clients.buyer.post(`/api/orders/${made.id}/checks`);
    expect(fields.parse(await ofBuyer(made.id))).toMatchObject({ check: { verdict: 'ok' }, guaranteeEndsAt: null });
    await approve(made);
    const [seen, own] = [await ofBuyer(made.id), await ofSeller(made.id)];
    const { guaranteeEndsAt, proofId } = fields.parse(seen);
    expect(fields.parse(own)).toEqual(fields.parse(seen));
    expect(proofId).toMatch(/^[0-9a-z]{26}$/);
    const approvedAt = Date.parse(String(own.approvedAt));
    expect(Date.parse(guaranteeEndsAt ?? '') - approvedAt).toBe(90 * 86_400_000);
    expect(own.ripeCents).toBe(Math.floor(sellerCents * 0.4));
    expect(seen).not.toHaveProperty('ripeCents');
    expectNothingOf(own, 'buyer');
    expectNothingOf(seen, 'seller');
    const listedForBuyer = await read(clients.buyer, `/api/orders?q=%23${made.id}`);
    expect(JSON.stringify(listedForBuyer)).toContain(String(proofId));
    expectNothingOf(listedForBuyer, 'seller');
    const listedForSeller = await read(clients.seller, `/api/seller/orders?q=${made.id}`);
    expect(JSON.stringify(listedForSeller)).toContain('"ripeCents"');
    expectNothingOf(listedForSeller, 'buyer');
    expect(await read(clients.admin, `/api/admin/orders/${made.id}`)).toMatchObject({ placement: { proofId } });
  });
});

describe('a passport', () => {
  const passport = z.strictObject({
    statement: z.string(),
    signature: z.string(),
    keyId: z.string(),
    revokedAt: z.string().nullable(),
    replacedBy: z.string().nullable(),
  });
  const visitor = openClient();
  const readPassport = async (id: string) => passport.parse(await read(visitor, `/api/proofs/${id}`));
  const proofOf = async (id: number) =>
    z.object({ placement: z.object({ proofId: z.string() }) }).parse(await read(clients.buyer, `/api/orders/${id}`))
      .placement.proofId;

  it('is public, names neither side, and its signature is valid with a published key', async () => {
    const { id, url } = await deliverPage();
    await clients.buyer.post(`/api/orders/${id}/checks`);
    const proofId = await proofOf(id);
    const { statement, signature, keyId, revokedAt, replacedBy } = await readPassport(proofId);
    expect([revokedAt, replacedBy]).toEqual([null, null]);
    expect(JSON.parse(statement)).toMatchObject({
      id: proofId,
      page: url,
      target,
      verdict: 'ok',
      anchor: 'garden spades',
    });
    for (const secret of [...secrets.both, `"${id}"`, `:${id},`]) expect(statement).not.toContain(secret);

    const { headers, body } = await visitor.get('/.well-known/linkmarket-keys');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    const { keys } = z
      .strictObject({
        keys: z.array(
          z.strictObject({
            ...{ kty: z.literal('OKP'), crv: z.literal('Ed25519'), use: z.literal('sig'), alg: z.literal('EdDSA') },
            ...{ x: z.string(), kid: z.string(), iat: z.int(), exp: z.int().optional() },
          }),
        ),
      })
      .parse(body);
    const { x = '' } = keys.find(({ kid }) => kid === keyId) ?? {};
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    const isValid = (text: string) => verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
    expect([isValid(statement), isValid(statement.replace('"ok"', '"no"'))]).toEqual([true, false]);
  });

  it('is revoked with the placement, and stays readable', async () => {
    const { id } = await deliverPage();
    await clients.buyer.post(`/api/orders/${id}/checks`);
    const proofId = await proofOf(id);
    await cancel(id);
    expect((await readPassport(proofId)).revokedAt).toEqual(isoTime);
  });

  it('answers 404 for an unknown id, and 429 to a caller who tries many', async () => {
    const unknown = '0'.repeat(26);
    for (const id of [unknown, 'x', "'%20or%20true"]) {
      expect((await visitor.get(`/api/proofs/${id}`)).status, id).toBe(404);
    }
    const guesser = openClient();
    const { max } = limits.proof.address;
    await guesser.get(`/api/proofs/${unknown}`);
    await db()
      .update(rateLimits)
      .set({ count: max })
      .where(eq(rateLimits.key, `proof:address:${guesser.address}`));
    const { status, headers } = await guesser.get(`/api/proofs/${unknown}`);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
