import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { users } from '@/db/schema/users';
import { createOrder } from '@/lib/orders/order/create';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { openClient } from '@/tests/setup/http-client';

/** Unusual shares, so that no other number in a response is one of them by chance. */
const [chargeCents, sellerCents] = [765_431, 432_107];
const amount = (cents: number) => [String(cents), (cents / 100).toFixed(2), (cents / 100).toLocaleString('en-US')];
const [ofCharge, ofSeller, ofMargin] = [chargeCents, sellerCents, chargeCents - sellerCents].map(amount);

const names = { buyer: 'Quentin Buyer', seller: 'Sybil Seller' };
const secrets: Record<'buyer' | 'seller', string[]> = { buyer: [], seller: [] };
const [buyer, seller] = [openClient(), openClient()];
let [id, disputeId, projectId] = [0, '', ''];

/** An order in a dispute, whose steps and messages both sides have made. */
beforeAll(async () => {
  const [person, vendor] = [await makeAccount(), await makeAccount({ role: 'Seller' })];
  await db().update(users).set({ name: names.buyer }).where(eq(users.id, person.userId));
  await db().update(users).set({ name: names.seller }).where(eq(users.id, vendor.userId));
  await fundWallet(person.userId, chargeCents);
  const siteId = await makeSite(vendor.userId, chargeCents, {
    isFulfilledByStaff: false,
    sellerPriceCents: sellerCents,
    url: 'https://publisher.example.org',
  });
  projectId = await makeProject(person, { description: 'a secret plan', domain: 'secret-shop.example' });
  const made = await createOrder(person, { kind: 'custom', projectId, siteIds: [siteId] });
  id = made.orders[0]?.id ?? 0;
  await db().update(orders).set({ website: 'https://publisher.example.org' }).where(eq(orders.id, id));
  secrets.buyer = [names.buyer, person.email, person.userId, 'a secret plan', ...(ofCharge ?? []), ...(ofMargin ?? [])];
  secrets.seller = [names.seller, vendor.email, vendor.userId, ...(ofSeller ?? []), ...(ofMargin ?? [])];
  await buyer.signIn('user', person.email);
  await seller.signIn('seller', vendor.email);
  const steps: [client: typeof buyer, path: string, body: unknown][] = [
    [buyer, `/api/orders/${id}/messages`, { text: 'When is it online?' }],
    [seller, `/api/seller/orders/${id}/messages`, { text: 'Next week.' }],
    [seller, `/api/seller/orders/${id}/accept`, {}],
    [seller, `/api/seller/orders/${id}/deliver`, { url: 'https://publisher.example.org/article' }],
    [buyer, `/api/orders/${id}/approve`, {}],
    [buyer, `/api/orders/${id}/dispute`, { reason: 'poor_quality', text: 'Two paragraphs only.' }],
  ];
  for (const [client, path, body] of steps) {
    const answer = await client.post(path, body);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  }
  disputeId = String(Object(await read(seller, `/api/seller/orders/${id}`)).disputeId);
});

/** The body of a page or an answer. @throws unless it is 200 */
async function read(client: typeof buyer, path: string): Promise<unknown> {
  const { status, body } = await client.get(path);
  expect(status, path).toBe(200);
  return body;
}

const pathOf = (template: string) =>
  template.replace('{id}', String(id)).replace('{disputeId}', disputeId).replace('{projectId}', projectId);
const textOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body));

describe('the two sides of an order', () => {
  it.each([
    '/seller/orders/{id}',
    '/seller/orders?tab=review',
    '/seller/orders?q={id}',
    '/seller',
    '/seller/earnings',
    '/seller/earnings/statement',
    '/seller/earnings/export',
    '/api/seller/earnings',
    '/api/seller/record',
    '/api/seller/statement',
    '/api/seller/statement?account=pending',
    '/api/seller/orders',
    '/api/seller/orders/{id}',
    '/api/seller/orders/{id}/messages',
    '/api/disputes/{disputeId}',
  ])('show the seller nothing of the buyer, the project, the price and the margin: %s', async (template) => {
    const text = textOf(await read(seller, pathOf(template)));
    for (const secret of secrets.buyer) expect(text).not.toContain(secret);
  });

  it.each([
    '/user/orders/{id}',
    '/user/orders',
    '/user/orders?tab=review',
    '/user/orders/export',
    '/user/wallet/export',
    '/user',
    '/api/orders',
    '/api/orders/{id}',
    '/api/orders/{id}/messages',
    '/api/orders/{id}/checks',
    '/user/projects/{projectId}?tab=links',
    '/user/projects/{projectId}?tab=reports',
    '/api/user/projects/{projectId}/reports',
    '/api/disputes/{disputeId}',
  ])('show the buyer nothing of the seller, the share and the margin: %s', async (template) => {
    const text = textOf(await read(buyer, pathOf(template)));
    for (const secret of secrets.seller) expect(text).not.toContain(secret);
  });
});
