import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { invoices } from '@/db/schema/invoices';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { spendMoney } from '@/tests/factories/spend-money';
import { openClient } from '@/tests/setup/http-client';

const signedIn = async (role: string) => {
  const account = await makeAccount({ role });
  const client = openClient();
  await client.signIn('user', account.email);
  return { account, client };
};
const issuedFor = (orderId: number) => db().select().from(invoices).where(eq(invoices.orderId, orderId));

/** Whether the page is not found: by its status, or by the router's marker after streaming began. */
const isNotFound = ({ status, body }: { status: number; body: unknown }) =>
  status === 404 || String(body).includes('NEXT_HTTP_ERROR_FALLBACK;404');

describe('/user/orders/{id}/invoice', () => {
  it('is visible to its buyer only, and opening it issues nothing a second time', async () => {
    const { account, client: buyer } = await signedIn('User');
    await fundWallet(account.userId, 12_345);
    const id = await spendMoney(account, 12_345);
    const path = `/user/orders/${id}/invoice`;
    for (const role of ['User', 'Seller', 'Admin']) {
      const { client } = await signedIn(role);
      for (const headers of [{}, { rsc: '1' }] as Record<string, string>[]) {
        const answer = await client.get(path, headers);
        expect(String(answer.body)).not.toContain(account.email);
        if (Object.keys(headers).length === 0) expect(isNotFound(answer), role).toBe(true);
      }
      const over = await client.get(`/user/orders?invoice=${id}`);
      expect(over.status).toBe(200);
      expect(String(over.body)).not.toContain(account.email);
    }
    expect((await openClient().get(path)).headers.get('location')).toContain('/user/login?next=');

    const page = await buyer.get(path);
    expect(page.status).toBe(200);
    expect(String(page.body)).toContain('Print or save as PDF');
    const [row] = await issuedFor(id);
    expect(String(page.body)).toContain(`INV-${row?.year}-${String(row?.number).padStart(6, '0')}`);
    expect(page.headers.get('cache-control')).toContain('no-store');
    await Promise.all(Array.from({ length: 5 }, () => buyer.get(path)));
    expect(await issuedFor(id)).toEqual([row]);
  }, 90_000);

  it('returns 404 for an invalid order id', async () => {
    const { client } = await signedIn('User');
    for (const id of ['0', '-1', '1e3', '99999999999999999999', '%00', "1'--"]) {
      expect(isNotFound(await client.get(`/user/orders/${id}/invoice`)), id).toBe(true);
    }
  }, 90_000);
});
