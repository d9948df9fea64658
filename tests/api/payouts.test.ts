import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { approvals } from '@/db/schema/approvals';
import { auditLogs } from '@/db/schema/audit';
import { payoutMethodKinds } from '@/db/schema/payouts';
import { settings } from '@/db/schema/settings';
import { sessions } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { approve } from '@/lib/approvals/decide';
import { newId } from '@/lib/ids';
import { requestPayout } from '@/lib/payouts/request';
import { approvalExecutors } from '@/lib/workflows/approval-executors';
import { makeAccount } from '@/tests/factories/make-account';
import { bankAccount, makePayableSeller, makePayout } from '@/tests/factories/make-payout';
import { makeStaff } from '@/tests/factories/make-staff';
import { appUrl, openClient } from '@/tests/setup/http-client';
import { controlGateway } from '@/tests/setup/provider-notifications';

const payout = z.looseObject({ id: z.string(), state: z.string(), amountCents: z.number(), version: z.number() });
const page = z.object({ payouts: z.array(payout), total: z.number(), limit: z.number(), offset: z.number() });
const payoutMethodKind = z.enum(payoutMethodKinds);

let seller: Actor;
const clients = { seller: openClient(), other: openClient(), staff: openClient(), orders: openClient() };

beforeAll(async () => {
  seller = await makePayableSeller(20_000, { seller: await makeAccount({ role: 'Seller' }) });
  await clients.seller.signIn('seller', seller.email);
  await clients.other.signIn('seller', (await makeAccount({ role: 'Seller' })).email);
  await clients.staff.signIn('admin', (await makeStaff('ManagePayouts')).email);
  await clients.orders.signIn('admin', (await makeStaff('ManageOrders', 'ManageWallets', 'ManagePayments')).email);
});

const ask = (body?: object, headers?: Record<string, string>) =>
  clients.seller.post('/api/seller/payouts', body, headers);
const withdraw = (id: string, client = clients.seller) =>
  client.request(`/api/seller/payouts/${id}`, { method: 'DELETE' });
type Step = 'approve' | 'paid' | 'failed' | 'return' | 'cancel';
const step = (id: string, name: Step, body: object = {}, client = clients.staff) =>
  client.post(`/api/admin/payouts/${id}/${name}`, body);

describe('a seller', () => {
  it('requests all that is available, sees it, and withdraws it', async () => {
    const asked = await ask();
    expect(asked).toMatchObject({ status: 201, body: { amountCents: 20_000, state: 'requested', lastFour: '1234' } });
    const { id } = payout.parse(asked.body);
    expect(await ask()).toMatchObject({ status: 409 });
    expect((await withdraw(id, clients.other)).status).toBe(404);
    expect((await clients.other.get('/api/seller/payouts')).body).toEqual([]);
    expect(await withdraw(id)).toMatchObject({ status: 200, body: { state: 'withdrawn' } });
    expect((await withdraw(id)).status).toBe(409);
    const listed = await clients.seller.get('/api/seller/payouts');
    expect(listed.body).toMatchObject([{ id, state: 'withdrawn' }]);
    expect(listed.headers.get('x-total-count')).toBe('1');
  });

  it('gets clear errors for bad amounts, and one payout for a repeated key', async () => {
    for (const amountCents of [0, -1, 1.5, '100', 20_001, 1, 2 ** 60])
      expect((await ask({ amountCents })).status, String(amountCents)).toBe(400);
    const headers = { 'Idempotency-Key': newId() };
    const first = await ask({ amountCents: 6_000 }, headers);
    expect(first.status).toBe(201);
    expect((await ask({ amountCents: 6_000 }, headers)).body).toEqual(first.body);
    expect((await ask({ amountCents: 7_000 }, headers)).status).toBe(409);
    await withdraw(payout.parse(first.body).id);
  });

  it('sends 200 requests at once and gets one payout', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask({ amountCents: 5_000 })));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    expect(answers.filter(({ status }) => ![201, 409, 429, 503].includes(status))).toEqual([]);
    await withdraw(payout.parse(made[0]?.body).id);
  }, 60_000);
});

describe('staff with ManagePayouts', () => {
  it('approve, pay and return a payout; other staff see nothing of it', async () => {
    const { payout: made, seller: owner } = await makePayout('requested');
    expect((await clients.orders.get('/api/admin/payouts')).status).toBe(403);
    expect((await step(made.id, 'approve', {}, clients.orders)).status).toBe(403);
    const found = await clients.staff.get(`/api/admin/payouts?state=requested&q=${encodeURIComponent(owner.email)}`);
    expect(page.parse(found.body)).toMatchObject({ total: 1, payouts: [{ id: made.id, risks: ['first_payout'] }] });
    expect((await step(made.id, 'paid', { reference: 'A', version: made.version })).status).toBe(409);
    expect((await step(made.id, 'approve', { version: 99 })).status).toBe(409);
    const approved = await step(made.id, 'approve');
    expect(approved).toMatchObject({ status: 200, body: { state: 'approved' } });
    const { version } = payout.parse(approved.body);
    // Without the version that was seen, and with a stale one.
    for (const name of ['paid', 'failed', 'return'] as const) {
      expect((await step(made.id, name, { reason: 'Closed' })).status, name).toBe(400);
      expect((await step(made.id, name, { reason: 'Closed', version: version - 1 })).status, name).toBe(409);
    }
    const paid = await step(made.id, 'paid', { reference: 'TRX', version });
    expect(paid).toMatchObject({ status: 200, body: { state: 'paid', isReturnPending: false } });
    const back = { reason: 'Closed', version: payout.parse(paid.body).version };
    expect(await step(made.id, 'failed', { reason: 'Closed', version })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('now paid') },
    });
    expect((await step(made.id, 'failed', back)).status).toBe(409);
    expect((await step(made.id, 'return', { version: back.version })).status).toBe(400);
    const asked = await step(made.id, 'return', back);
    expect(asked).toMatchObject({ status: 200, body: { state: 'paid', isReturnPending: true } });
    const [request] = await db().select().from(approvals).where(eq(approvals.beneficiaryId, owner.userId));
    await approve(await makeStaff('ManagePayouts'), request?.id ?? '', approvalExecutors);
    const { body } = await clients.staff.get(`/api/admin/payouts?q=${made.id}`);
    expect(page.parse(body).payouts).toMatchObject([{ state: 'returned', isReturnPending: false }]);
  });

  it('view the details of a payout method, which is audited and needs a recent authentication', async () => {
    const details = { bank: { iban: bankAccount.iban }, paypal: { email: 'seller@example.com' } };
    for (const [kind, expected] of Object.entries({ ...details, agreement: { text: 'In cash' } })) {
      const { payout: made } = await makePayout('approved', { kind: payoutMethodKind.parse(kind) });
      const path = `/api/admin/payouts/${made.id}/method`;
      expect((await clients.orders.get(path)).status).toBe(403);
      expect((await clients.seller.get(path)).status).toBe(403);
      expect(await clients.staff.get(path)).toMatchObject({ status: 200, body: { kind, ...expected } });
      const lines = await db().select().from(auditLogs).where(eq(auditLogs.entityId, made.id));
      const viewed = lines.filter(({ action }) => action === 'payout_method.viewed');
      expect(viewed).toHaveLength(1);
      expect(JSON.stringify(viewed)).not.toMatch(/0532013|seller@example|cash/);
    }
    expect((await clients.staff.get(`/api/admin/payouts/${newId()}/method`)).status).toBe(404);
    const late = await makeStaff('ManagePayouts');
    const client = openClient();
    await client.signIn('admin', late.email);
    await db()
      .update(sessions)
      .set({ authenticatedAt: new Date(0) })
      .where(eq(sessions.userId, late.userId));
    expect(await client.get(`/api/admin/payouts/${newId()}/method`)).toMatchObject({
      status: 403,
      body: { code: 'reauthentication_required' },
    });
    // A browser that follows a link is led to the page that asks for the password.
    for (const path of [`/api/admin/payouts/${newId()}/method`, `/dashboard/features/payouts/batches/${newId()}/file`])
      expect((await client.get(path, { accept: 'text/html,*/*' })).status).toBe(303);
  });

  it('get 404 for an unknown payout, and 403 for their own', async () => {
    for (const name of ['approve', 'paid', 'failed', 'return'] as const)
      expect((await step(newId(), name, { reason: 'x', version: 1 })).status, name).toBe(404);
    const admin = openClient();
    const own = await makePayableSeller(20_000, { seller: await makeAccount({ role: 'Admin' }) });
    await admin.signIn('admin', own.email);
    const { id } = await requestPayout(own, {});
    for (const name of ['approve', 'paid', 'failed', 'return'] as const)
      expect((await step(id, name, { reason: 'x', version: 1 }, admin)).status, name).toBe(403);
  });
});

describe('bank files', () => {
  const exportFile = (body: object, client = clients.staff) => client.post('/api/admin/payouts/export', body);
  // A batch of PayPal has no file.
  const batch = z.looseObject({
    id: z.string(),
    fileUrl: z
      .string()
      .nullable()
      .transform((url) => url ?? ''),
    totalCents: z.number(),
  });

  it('are exported, downloaded and read back', async () => {
    const value = { payer: bankAccount };
    await db()
      .insert(settings)
      .values({ key: 'payout-rules', value })
      .onConflictDoUpdate({ target: settings.key, set: { value } });
    const { payout: made } = await makePayout('approved');
    const body = { format: 'pain.001', ids: [made.id] };
    expect((await exportFile(body, clients.orders)).status).toBe(403);
    expect((await exportFile({ format: 'xls', ids: [made.id] })).status).toBe(400);
    expect((await exportFile({ format: 'csv', ids: [newId()] })).status).toBe(404);
    const exported = await exportFile(body);
    expect(exported.status).toBe(201);
    const { fileUrl, totalCents } = batch.parse(exported.body);
    expect(totalCents).toBe(10_000);
    expect((await exportFile(body)).status).toBe(409);
    expect((await clients.orders.get(fileUrl)).status).toBe(403);
    const file = await clients.staff.get(fileUrl);
    expect(file.headers.get('content-type')).toContain('application/xml');
    expect(file.headers.get('content-disposition')).toContain('attachment');
    const listed = await clients.staff.get('/api/admin/payouts/batches');
    expect(
      z
        .array(batch)
        .parse(listed.body)
        .map((row) => row.fileUrl),
    ).toContain(fileUrl);
    const form = new FormData();
    const rows = `end_to_end_id,amount,currency,date,status\n${made.id},100.00,USD,2026-11-20,executed`;
    form.append('file', new File([rows], 'statement.csv'));
    const headers = { cookie: clients.staff.cookie(), origin: new URL(appUrl).origin };
    const read = await fetch(`${appUrl}/api/admin/payouts/statement`, { method: 'POST', headers, body: form });
    expect([read.status, await read.json()]).toEqual([
      200,
      { paid: 1, returned: 0, waiting: 0, known: 0, skipped: 0, refused: [] },
    ]);
  });

  it('are refused for a seller whose name no bank can read', async () => {
    const { payout: made } = await makePayout('approved', { holder: 'ʔʔ' });
    expect((await exportFile({ format: 'csv', ids: [made.id] })).status).toBe(422);
  });
});

describe('payouts by PayPal', () => {
  const batch = z.looseObject({ id: z.string(), kind: z.string(), totalCents: z.number(), fileUrl: z.null() });
  const send = (ids: string[], client = clients.staff) => client.post('/api/admin/payouts/send', { ids });
  const payouts = page.transform((found) => found.payouts);

  it('are sent in a batch, once, and paid', async () => {
    const { payout: made } = await makePayout('approved', { kind: 'paypal' });
    expect((await send([made.id], clients.orders)).status).toBe(403);
    expect((await send([])).status).toBe(400);
    expect((await send([newId()])).status).toBe(404);
    const sent = await send([made.id]);
    expect(sent.status).toBe(201);
    const { id } = batch.parse(sent.body);
    expect((await send([made.id])).status).toBe(409);
    expect((await step(made.id, 'paid', { version: made.version + 1 })).status).toBe(409);
    expect((await step(made.id, 'cancel', {})).status).toBe(409);
    expect((await clients.orders.post(`/api/admin/payouts/batches/${id}/retry`, {})).status).toBe(403);
    expect((await clients.staff.post(`/api/admin/payouts/batches/${newId()}/retry`, {})).status).toBe(404);
    expect((await clients.staff.post(`/api/admin/payouts/batches/${id}/retry`, {})).status).toBe(200);
    const read = async () =>
      page.parse((await clients.staff.get(`/api/admin/payouts?q=${made.id}`)).body).payouts[0]?.state;
    await expect.poll(read, { timeout: 60_000, interval: 1_000 }).toBe('paid');
  });

  it('are canceled while unclaimed, and a refused batch is not sent again', async () => {
    const email = `${'a'.repeat(65)}@example.com`;
    const made = [
      await makePayout('approved', { kind: 'paypal' }),
      await makePayout('approved', { kind: 'paypal', email }),
    ];
    const [unclaimed = '', refused = ''] = made.map(({ payout: { id } }) => id);
    await controlGateway('paypal', { payoutFate: 'unclaimed' });
    const sent = await send([unclaimed]);
    const over = batch.parse((await send([refused])).body);
    const stateOf = async (id: string) =>
      payouts.parse((await clients.staff.get(`/api/admin/payouts?q=${id}`)).body)[0];
    await expect
      .poll(() => stateOf(unclaimed), { timeout: 60_000, interval: 1_000 })
      .toMatchObject({
        providerStatus: 'UNCLAIMED',
      });
    await expect.poll(() => stateOf(refused), { timeout: 60_000, interval: 1_000 }).toMatchObject({ state: 'failed' });
    await controlGateway('paypal', { payoutFate: 'succeed' });
    expect(sent.status).toBe(201);
    expect((await clients.staff.post(`/api/admin/payouts/batches/${over.id}/retry`, {})).status).toBe(409);
    expect(await step(unclaimed, 'cancel')).toMatchObject({ status: 200, body: { state: 'returned' } });
  });
});
