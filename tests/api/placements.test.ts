import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { disputes } from '@/db/schema/disputes';
import { orders } from '@/db/schema/orders';
import { type PlacementState, placementStates, placements } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { proposeSettlement } from '@/lib/orders/disputes/proposals';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeDispute } from '@/tests/factories/make-dispute';
import { makePlacement } from '@/tests/factories/make-placement';
import { spendMoney } from '@/tests/factories/spend-money';
import { openClient } from '@/tests/setup/http-client';
import { routes } from './routes';

const clients = { buyer: openClient(), seller: openClient(), admin: openClient() };
let people: { buyer: Actor; seller: Actor };

/** An order in each state. */
const inState = new Map<PlacementState, number>();

beforeAll(async () => {
  people = { buyer: await makeAccount(), seller: await makeAccount({ role: 'Seller' }) };
  await clients.buyer.signIn('user', people.buyer.email);
  await clients.seller.signIn('seller', people.seller.email);
  await clients.admin.signIn('admin', (await makeAccount({ role: 'Admin' })).email);
  for (const state of placementStates) inState.set(state, await place(state));
});

/** Makes an order with a placement in a state, as the steps before leave it. */
async function place(state: PlacementState, set: Partial<typeof placements.$inferInsert> = {}): Promise<number> {
  const { id } = await makePlacement(state, { ...people, ...(state === 'lost' && { isApproved: true }) });
  const due = { deliveryDueAt: new Date(Date.now() + 86_400_000), deliveredUrl: 'https://blog.example.com/article' };
  await db()
    .update(placements)
    .set({ ...due, ...set })
    .where(eq(placements.orderId, id));
  return id;
}

const stateOf = async (id: number) => {
  const [row] = await db()
    .select({ state: placements.state, version: placements.version })
    .from(placements)
    .where(eq(placements.orderId, id));
  return row;
};

type Step = {
  /** As the access snapshot has it. */
  address: string;
  body?: Record<string, unknown>;
  /** The states in which the step is possible. */
  from: readonly PlacementState[];
  /** What the placement has before the step. */
  set?: Partial<typeof placements.$inferInsert>;
  /** The states that are asked; all by default. */
  asked?: readonly PlacementState[];
};

const working = ['accepted', 'in_revision'] as const;
const beforeApproval = ['offered', ...working, 'delivered'] as const;
const complaint = { reason: 'other', text: 'The anchor differs.' };
const asksForDays = { extensionAskedAt: new Date(), extensionDays: 3, extensionReason: 'Illness' };
const staffAction = (action: string, from: Step['from'], more: Partial<Step> = {}): Step => ({
  address: 'POST /api/admin/orders/[id]/placement',
  from,
  ...more,
  body: { action, ...more.body },
});

const steps: readonly Step[] = [
  // Afterwards, the status of the order decides.
  {
    address: 'PUT /api/orders/[id]/brief',
    body: { anchor: 'Spades' },
    from: ['offered'],
    asked: [...beforeApproval, 'disputed', 'approved'],
  },
  { address: 'POST /api/orders/[id]/cancel', from: ['offered', ...working], set: { releasedAt: new Date() } },
  { address: 'POST /api/orders/[id]/approve', from: ['delivered'] },
  { address: 'POST /api/orders/[id]/revision', body: { reason: 'Wrong anchor', text: 'Use it.' }, from: ['delivered'] },
  { address: 'POST /api/orders/[id]/dispute', body: complaint, from: ['delivered', 'in_revision', 'approved'] },
  { address: 'POST /api/orders/[id]/extension', body: { grant: true }, from: working, set: asksForDays },
  { address: 'POST /api/seller/orders/[id]/accept', from: ['offered'] },
  { address: 'POST /api/seller/orders/[id]/decline', body: { reason: 'Off topic' }, from: ['offered'] },
  { address: 'POST /api/seller/orders/[id]/deliver', body: { url: 'https://blog.example.com/a' }, from: working },
  { address: 'POST /api/seller/orders/[id]/extension', body: { days: 3, reason: 'Illness' }, from: working },
  { address: 'POST /api/seller/orders/[id]/release', from: working },
  { address: 'POST /api/seller/orders/[id]/dispute', body: complaint, from: ['in_revision'] },
  staffAction('accept', ['offered']),
  staffAction('decline', ['offered']),
  staffAction('deliver', working, { body: { url: 'https://blog.example.com/a' } }),
  staffAction('approve', ['delivered']),
  staffAction('cancel', beforeApproval),
  staffAction('takeOver', beforeApproval),
  staffAction('grantExtension', working, { set: asksForDays }),
  staffAction('refuseExtension', working, { set: asksForDays }),
];

const named = steps.map((step): [name: string, step: Step] => [
  step.body?.action ? `${step.address} ${step.body.action}` : step.address,
  step,
]);

function send({ address, body = {} }: Step, id: number, version?: number) {
  const [method = '', path = ''] = address.split(' ');
  const client = clients[path.includes('/admin/') ? 'admin' : path.includes('/seller/') ? 'seller' : 'buyer'];
  return client.request(path.replace('[id]', String(id)), {
    method,
    body: { ...body, ...(version !== undefined && { version }) },
  });
}

/** The names of the states whose identifiers are no words. */
const words: Partial<Record<PlacementState, string>> = {
  in_revision: 'in revision',
  taken_over: 'taken over',
};

/** Tests of the others are elsewhere: messages, files, link checks, guarantees, paid changes, WordPress, the desk's edit. */
const isStep = ({ method, path }: (typeof routes)[number]) =>
  method !== 'GET' &&
  /^\/api\/(admin\/|seller\/)?(orders\/\[id\]\/.|disputes\/)/.test(path) &&
  !/\/(messages|content|checks|repaired|guarantee|publish|restore)$|\/changes(\/|$)/.test(path);

describe('a step of a placement', () => {
  it('is in these tests with every address', () => {
    const asked = [...steps, ...disputeSteps].map(({ address }) => address);
    expect([...new Set(asked)].sort()).toEqual(
      routes
        .filter(isStep)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    );
  });

  it.each(named)('%s answers 409 with the name of the state in any other state', async (_, step) => {
    for (const state of step.asked ?? placementStates) {
      if (step.from.includes(state)) continue;
      const id = inState.get(state) ?? 0;
      const before = await stateOf(id);
      const answer = await send(step, id);
      expect(answer, state).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining(`Order #${id} is ${words[state] ?? state}: `) },
      });
      expect(await stateOf(id)).toEqual(before);
    }
  });

  it.each(named)('%s refuses an older version, and needs none', async (_, step) => {
    for (const state of step.from) {
      const id = await place(state, step.set);
      await db().update(placements).set({ version: 5 }).where(eq(placements.orderId, id));
      expect(await send(step, id, 4), state).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining('was changed by another user') },
      });
      expect(await stateOf(id)).toEqual({ state, version: 5 });
      expect((await send(step, id)).status, state).toBeLessThan(300);
      expect((await stateOf(id))?.version).toBe(6);
    }
  });

  it('of an order without a placement is refused', async () => {
    await fundWallet(people.buyer.userId, 1_000);
    const id = await spendMoney(people.buyer, 1_000);
    for (const step of steps) {
      if (step.address.startsWith('PUT')) continue;
      const isOfSeller = step.address.includes('/seller/');
      expect((await send(step, id)).status, step.address).toBe(isOfSeller ? 404 : 409);
    }
  });
});

describe('a delivery', () => {
  const site = { website: 'https://www.publisher.co.uk' };
  const deliver = (id: number, url: unknown) => clients.seller.post(`/api/seller/orders/${id}/deliver`, { url });

  it.each([
    'https://publisher.org/article',
    'https://co.uk/article',
    'https://publisher.co.uk.evil.org/article',
    'https://notpublisher.co.uk/article',
    'https://192.0.2.1/article',
  ])('on another registrable domain answers 422: %s', async (url) => {
    const id = inState.get('accepted') ?? 0;
    await db().update(orders).set(site).where(eq(orders.id, id));
    const message = 'The page must be on publisher.co.uk, the site that was ordered.';
    expect(await deliver(id, url)).toMatchObject({ status: 422, body: { error: message, fields: { url: message } } });
    expect(await stateOf(id)).toMatchObject({ state: 'accepted' });
  });

  it.each(['', 'no page', 'javascript:alert(1)', 'ftp://publisher.co.uk/a', undefined])(
    'needs the address of a page: %j',
    async (url) => {
      const id = inState.get('accepted') ?? 0;
      expect(await deliver(id, url)).toMatchObject({ status: 400, body: { fields: { url: expect.any(String) } } });
    },
  );

  it('of a page that cannot be opened, or without the link, answers 422 with what was found', async () => {
    const id = await place('accepted');
    const send = (body: object) => clients.seller.post(`/api/seller/orders/${id}/deliver`, body);
    const missing = { url: 'https://blog.example.com/not-found', reason: 'The page follows.' };
    for (const [body, delivery] of [
      [missing, 'refused'],
      [{ url: `https://${newId()}.example.com/lost` }, 'with_reason'],
    ] as const) {
      const check = expect.objectContaining({ delivery, verdict: 'broken', url: body.url });
      expect(await send({ ...body, dryRun: true })).toMatchObject({ status: 200, body: { check } });
      expect(await send(body)).toMatchObject({ status: 422, body: { code: 'link_not_in_order', check } });
    }
    expect(await stateOf(id)).toMatchObject({ state: 'accepted' });
  });

  it('may be on a subdomain of the site', async () => {
    const id = await place('accepted');
    await db().update(orders).set({ website: 'https://www.example.net' }).where(eq(orders.id, id));
    expect(await deliver(id, 'https://blog.example.net/article')).toMatchObject({
      status: 200,
      body: { state: 'delivered', deliveredUrl: 'https://blog.example.net/article', deliveryReason: null },
    });
  });
});

it("the seller's list has the orders of a state or tab, and refuses an unknown one", async () => {
  const idsOf = async (query: string) => {
    const { status, body } = await clients.seller.get(`/api/seller/orders?limit=200${query}`);
    expect(status).toBe(200);
    return Array.isArray(body) ? body.map(({ id, state }) => `${id} ${state}`) : [];
  };
  const all = await idsOf('');
  for (const [state, id] of inState) expect(all).toContain(`${id} ${state}`);
  const expired = all.filter((line) => line.endsWith(' expired'));
  expect(await idsOf('&state=expired')).toEqual(expired);
  const publish = all.filter((line) => / (accepted|in_revision)$/.test(line));
  expect(await idsOf('&state=publish')).toEqual(publish);
  const refused = await clients.seller.get('/api/seller/orders?state=nonsense');
  expect(refused).toMatchObject({ status: 400, body: { fields: { state: expect.any(String) } } });
});

/** The steps of a dispute that the buyer opened and for which the buyer made the first proposal. */
const disputeSteps = [
  { address: 'POST /api/disputes/[id]/proposals', who: 'seller', body: { buyerPercent: 40 } },
  { address: 'POST /api/disputes/[id]/proposals/[n]/accept', who: 'seller', body: {} },
  { address: 'POST /api/disputes/[id]/withdraw', who: 'buyer', body: {} },
  {
    address: 'POST /api/admin/disputes/[id]/decide',
    who: 'admin',
    body: { buyerPercent: 50, note: 'Both were right.' },
  },
] as const;

describe('a step of a dispute', () => {
  const ask = ({ address, who, body }: (typeof disputeSteps)[number], id: string, version?: number) =>
    clients[who].post(address.replace('POST ', '').replace('[id]', id).replace('[n]', '1'), {
      ...body,
      ...(version !== undefined && { version }),
    });
  async function open(): Promise<string> {
    const { id } = await makeDispute('delivered', people);
    await proposeSettlement(people.buyer, id, { buyerPercent: 80 });
    return id;
  }
  const rowOf = async (id: string) => (await db().select().from(disputes).where(eq(disputes.id, id)))[0];

  it.each(disputeSteps)('$address refuses an older version, and needs none', async (step) => {
    const id = await open();
    const before = await rowOf(id);
    expect(await ask(step, id, 1)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('was changed by another user') },
    });
    expect(await rowOf(id)).toEqual(before);
    expect((await ask(step, id)).status).toBeLessThan(300);
  });

  it.each(disputeSteps)('$address answers 409 with the name of the state when the dispute ended', async (step) => {
    const [withdrawn, settled] = [await open(), await open()];
    await clients.buyer.post(`/api/disputes/${withdrawn}/withdraw`, {});
    await clients.seller.post(`/api/disputes/${settled}/proposals/1/accept`, {});
    for (const [id, state] of [
      [withdrawn, 'withdrawn'],
      [settled, 'settled'],
    ] as const) {
      const before = await rowOf(id);
      expect(before?.state).toBe(state);
      expect(await ask(step, id)).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining(`The dispute of order #${before?.orderId} is ${state}: `) },
      });
      expect(await rowOf(id)).toEqual(before);
    }
  });

  it('that accepts a proposal finds it, and not one of the own side', async () => {
    const id = await open();
    expect((await clients.seller.post(`/api/disputes/${id}/proposals/2/accept`, {})).status).toBe(404);
    expect((await clients.seller.post(`/api/disputes/${id}/proposals/0/accept`, {})).status).toBe(400);
    expect((await clients.buyer.post(`/api/disputes/${id}/proposals/1/accept`, {})).status).toBe(409);
  });
});
