import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { payoutMethods } from '@/db/schema/payouts';
import { sessions } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makePlacement } from '@/tests/factories/make-placement';
import { openClient } from '@/tests/setup/http-client';
import { collectMailsTo } from '@/tests/setup/mailbox';

const path = '/api/seller/payout-method';
const none = { kind: null, lastFour: null, usableAt: null, createdAt: null };
const bank = {
  ...{ kind: 'bank', format: 'iban', iban: 'DE89 3704 0044 0532 0130 00', holder: 'Jane Quillfeather' },
  ...{ addressLines: ['Birdcage Walk 17'], town: 'Berlin', country: 'DE' },
};
const accounts = {
  ...{ bank, paypal: { kind: 'paypal', email: 'payee.quillfeather@example.com' } },
  agreement: { kind: 'agreement', text: 'In cash, to Quillfeather' },
  us: {
    ...{ ...bank, format: 'account', iban: undefined, country: 'US', town: 'Boston' },
    ...{ accountNumber: '00987654321', routingNumber: '021000021', accountType: 'checking' },
  },
};
/** Parts of the details that are in no answer, mail, audit line or row. */
const secret = /quillfeather|birdcage|0532|987654|021000021/i;

let seller: Actor;
let mailbox: ReturnType<typeof collectMailsTo>;
const client = openClient();

beforeAll(async () => {
  seller = await makeAccount({ role: 'Seller' });
  mailbox = collectMailsTo(seller.email);
  await client.signIn('seller', seller.email);
});
afterAll(() => mailbox.stop());

const put = (method: unknown, proof: object = { password: testPassword }) =>
  client.request(path, { method: 'PUT', body: { method, ...proof } });
const remove = () => client.request(path, { method: 'DELETE' });

describe('the payout method', () => {
  it('is set, shown with at most four characters, and removed', async () => {
    expect((await client.get(path)).body).toEqual(none);
    const kinds = Object.entries({ bank: '3000', us: '4321', paypal: 'ther', agreement: '' });
    for (const [name, lastFour] of kinds) {
      const method = Object.entries(accounts).find(([key]) => key === name)?.[1];
      const saved = await put(method);
      expect(saved, name).toMatchObject({ status: 200, body: { lastFour } });
      expect((await client.get(path)).body).toEqual(saved.body);
      expect(Object.keys(Object(saved.body)).sort()).toEqual(Object.keys(none).sort());
    }
    expect(await remove()).toMatchObject({ status: 200, body: none });
    expect((await remove()).status).toBe(409);
    expect((await client.get(path)).body).toEqual(none);
  });

  it('is in no page, list, mail or audit line with more than four characters', async () => {
    await makePlacement('closed', { seller, sellerCents: 9_000 });
    await put(accounts.us);
    const asked = await client.post('/api/seller/payouts', {});
    expect(asked).toMatchObject({ status: 201, body: { lastFour: '4321' } });
    for (const address of ['/seller/payouts', '/api/seller/payouts', path, '/seller/security']) {
      const { status, body } = await client.get(address);
      expect(status).toBe(200);
      expect(JSON.stringify(body), address).not.toMatch(secret);
    }
    // Four methods, a removal and another method.
    await expect.poll(() => mailbox.collected.size, { timeout: 50_000 }).toBe(6);
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.userId, seller.userId));
    const rows = await db().select().from(payoutMethods).where(eq(payoutMethods.sellerId, seller.userId));
    expect(rows.length).toBeGreaterThan(4);
    expect(JSON.stringify([...mailbox.collected.values(), lines, rows])).not.toMatch(secret);
  });

  it('is refused with the field that is wrong, and no details in the answer', async () => {
    const cases: [unknown, object | undefined, string][] = [
      [undefined, undefined, 'method'],
      [{}, undefined, 'method.kind'],
      [{ ...bank, iban: 'DE89 3704 0044 0532 0130 01' }, undefined, 'method.iban'],
      [{ ...bank, country: 'XX' }, undefined, 'method.country'],
      [{ ...accounts.us, routingNumber: '021000022' }, undefined, 'method.routingNumber'],
      [{ kind: 'paypal', email: 'quillfeather' }, undefined, 'method.email'],
      [{ kind: 'agreement', text: ' ' }, undefined, 'method.text'],
      [bank, {}, 'password'],
      [bank, { password: 'wrong' }, 'password'],
    ];
    for (const [method, proof, field] of cases) {
      const answer = await put(method, proof);
      expect(answer, field).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } });
      expect(JSON.stringify(answer.body)).not.toMatch(secret);
    }
  });

  it('is removed only after a recent authentication', async () => {
    await db()
      .update(sessions)
      .set({ authenticatedAt: new Date(Date.now() - 600_000) })
      .where(eq(sessions.userId, seller.userId));
    expect(await remove()).toMatchObject({ status: 403, body: { code: 'reauthentication_required' } });
    await client.post('/api/auth/reauthenticate', { password: testPassword });
    expect((await remove()).status).toBe(200);
  });

  it('is for sellers only', async () => {
    const buyer = openClient();
    await buyer.signIn('user', (await makeAccount()).email);
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await buyer.request(path, { method })).status, method).toBe(403);
      expect((await openClient().request(path, { method })).status, method).toBe(401);
    }
  });
});
