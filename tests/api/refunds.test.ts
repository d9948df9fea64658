import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { makeAccount } from '@/tests/factories/make-account';
import { makePaidTopup, makeSourceRefund } from '@/tests/factories/make-source-refund';
import { makeStaff } from '@/tests/factories/make-staff';
import { openClient } from '@/tests/setup/http-client';
import { controlGateway, payAt } from '@/tests/setup/provider-notifications';

// The payments of most tests are unknown to the sandbox, so it refuses their refunds: tests/e2e/refunds.spec.ts makes one.

const refund = z.looseObject({ id: z.string(), state: z.string(), version: z.number() });
const started = z.object({ refund: refund.nullable(), approvalId: z.string().nullable() });
const page = z.object({ refunds: z.array(refund), total: z.number(), limit: z.number(), offset: z.number() });

let buyer: Actor;
const clients = { buyer: openClient(), other: openClient(), staff: openClient(), orders: openClient() };

beforeAll(async () => {
  buyer = await makeAccount();
  await clients.buyer.signIn('user', buyer.email);
  await clients.other.signIn('user', (await makeAccount()).email);
  await clients.staff.signIn('admin', (await makeStaff('ManageWallets')).email);
  await clients.orders.signIn('admin', (await makeStaff('ManageOrders', 'ManagePayments', 'ManagePayouts')).email);
});

const own = '/api/wallet/refund-requests';
const desk = '/api/admin/wallet/refunds';
const ask = (body: object, headers?: Record<string, string>) => clients.buyer.post(own, body, headers);
const step = (id: string, name: 'approve' | 'decline' | 'retry', body: object = {}, client = clients.staff) =>
  client.post(`${desk}/${id}/${name}`, body);

describe('a buyer', () => {
  it('requests a refund once for a key, sees it, and withdraws it', async () => {
    const body = { topupId: await makePaidTopup(buyer), amountCents: 4_000, reason: 'No longer needed' };
    const headers = { 'Idempotency-Key': newId() };
    const asked = await ask(body, headers);
    expect(asked).toMatchObject({ status: 201, body: { state: 'requested', amountCents: 4_000, provider: 'stripe' } });
    expect((await ask(body, headers)).body).toEqual(asked.body);
    expect((await ask({ ...body, amountCents: 3_000 }, headers)).status).toBe(409);
    expect((await ask(body)).status).toBe(409);
    const { id } = refund.parse(asked.body);
    expect((await clients.buyer.get(own)).body).toMatchObject([{ id }]);
    expect((await clients.other.get(own)).body).toEqual([]);
    expect(await clients.buyer.get(`${own}/${id}`)).toMatchObject({ status: 200, body: { id } });
    expect((await clients.other.get(`${own}/${id}`)).status).toBe(404);
    expect((await clients.other.request(`${own}/${id}`, { method: 'DELETE' })).status).toBe(404);
    expect(await clients.buyer.request(`${own}/${id}`, { method: 'DELETE' })).toMatchObject({
      status: 200,
      body: { state: 'withdrawn' },
    });
    expect((await clients.buyer.request(`${own}/${id}`, { method: 'DELETE' })).status).toBe(409);
  });

  it('gets clear errors for bad amounts and top-ups', async () => {
    const topupId = await makePaidTopup(buyer);
    for (const amountCents of [0, -1, 1.5, '100', 10_001, 2 ** 60])
      expect((await ask({ topupId, amountCents })).status, String(amountCents)).toBe(400);
    expect((await ask({ topupId: newId(), amountCents: 100 })).status).toBe(404);
    expect((await ask({ topupId: 'no id!', amountCents: 100 })).status).toBe(400);
  });
});

describe('staff', () => {
  it('need ManageWallets for every address', async () => {
    const { refund: made } = await makeSourceRefund('requested');
    const body = { topupId: made.topupId, amountCents: 100, reason: 'Mine' };
    for (const client of [clients.orders, clients.buyer]) {
      expect((await client.get(desk)).status).toBe(403);
      expect((await client.post(desk, body)).status).toBe(403);
      for (const name of ['approve', 'decline', 'retry'] as const)
        expect((await step(made.id, name, { reason: 'No' }, client)).status).toBe(403);
    }
  });

  it('find, decline and approve requests; a refused refund returns to the wallet', async () => {
    const declined = await makeSourceRefund('requested');
    const listed = page.parse((await clients.staff.get(`${desk}?state=requested&q=${declined.buyer.email}`)).body);
    expect(listed).toMatchObject({ total: 1, refunds: [{ id: declined.refund.id, userEmail: declined.buyer.email }] });
    expect((await step(declined.refund.id, 'decline')).status).toBe(400);
    expect(await step(declined.refund.id, 'decline', { reason: 'Excluded' })).toMatchObject({
      status: 200,
      body: { state: 'declined', answer: 'Excluded' },
    });
    const approved = await makeSourceRefund('requested');
    expect((await step(approved.refund.id, 'approve', { version: 7 })).status).toBe(409);
    const answer = await step(approved.refund.id, 'approve', { version: 1 });
    expect(answer.status).toBe(200);
    const { refund: after, approvalId } = started.parse(answer.body);
    expect(approvalId).toBeNull();
    expect(['failed', 'processing']).toContain(after?.state);
    expect((await step(approved.refund.id, 'approve')).status).toBe(409);
    expect((await step(newId(), 'approve')).status).toBe(404);
    expect((await step(newId(), 'retry')).status).toBe(404);
    expect((await step(declined.refund.id, 'retry')).status).toBe(409);
  });

  it('repeat the call for a refund in progress', async () => {
    const owner = await makeAccount();
    const payer = openClient();
    await payer.signIn('user', owner.email);
    await payer.post('/api/user/payments/stripe/checkout', { amount: 25, returnUrl: '/user/wallet' });
    const paid = () => db().select().from(topups).where(eq(topups.accountId, owner.userId));
    await payAt('stripe', (await paid())[0]?.providerReference ?? '');
    await expect.poll(async () => (await paid())[0]?.status).toBe('paid');
    await controlGateway('stripe', { refundFate: 'pending' });
    const body = { topupId: (await paid())[0]?.id, amountCents: 1_000, reason: 'Agreed by phone' };
    const { refund: sent } = started.parse((await clients.staff.post(desk, body)).body);
    await controlGateway('stripe', { refundFate: 'succeeded' });
    expect(sent?.state).toBe('processing');
    expect(await step(sent?.id ?? '', 'retry')).toMatchObject({ status: 200, body: { state: 'processing' } });
  });

  it('create a refund once for a key, and an approval above the limit', async () => {
    const owner = await makeAccount();
    const body = { topupId: await makePaidTopup(owner), amountCents: 1_000, reason: 'Agreed by phone' };
    const headers = { 'Idempotency-Key': newId() };
    const first = started.parse((await clients.staff.post(desk, body, headers)).body);
    const again = started.parse((await clients.staff.post(desk, body, headers)).body);
    expect(again.refund?.id).toBe(first.refund?.id);
    expect((await clients.staff.post(desk, { ...body, reason: '' })).status).toBe(400);
    expect((await clients.staff.post(desk, { ...body, topupId: newId() })).status).toBe(404);
    const { refund: waiting } = await makeSourceRefund('requested');
    expect((await clients.staff.post(desk, { ...body, topupId: waiting.topupId })).status).toBe(409);
    const large = { amountCents: 5_000_000, chargeAmountMinor: 5_000_000 };
    const above = await clients.staff.post(desk, {
      topupId: await makePaidTopup(owner, large),
      amountCents: 4_000_000,
      reason: 'Closing the account',
    });
    expect(above).toMatchObject({ status: 201, body: { refund: null, approvalId: expect.any(String) } });
  });
});
