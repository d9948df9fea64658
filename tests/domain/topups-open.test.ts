import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { paymentModes } from '@/db/schema/payment-configs';
import { topups } from '@/db/schema/topups';
import type { Actor } from '@/lib/access/actor';
import { cancelTopup } from '@/lib/payments/top-ups/checkout';
import { createTopup } from '@/lib/payments/top-ups/create';
import { listOpenTopups } from '@/lib/payments/top-ups/queries';
import { makeUser } from '@/tests/factories/make-user';
import { topupRow, withProviders } from '@/tests/setup/payment-providers';

withProviders();
const input = { amountCents: 5_000, returnUrl: '/user/wallet' };
const hrefOf = async (buyer: Actor, id: string) => (await listOpenTopups(buyer, [id])).get(id)?.continueHref;

it.each(['stripe', 'paypal'] as const)('a pending %s top-up continues on its page until it ends', async (provider) => {
  const buyer = await makeUser();
  const { id, url } = await createTopup(buyer, { ...input, provider });
  expect(await hrefOf(buyer, id)).toBe(url);
  expect((await listOpenTopups(await makeUser(), [id])).size).toBe(0);

  const { expiresAt, mode } = await topupRow(id);
  await db()
    .update(topups)
    .set({ expiresAt: new Date(0) })
    .where(eq(topups.id, id));
  expect(await hrefOf(buyer, id)).toBeNull();
  await db().update(topups).set({ expiresAt }).where(eq(topups.id, id));

  // A payment in a mode that is no longer active could not be credited.
  await db().update(paymentModes).set({ mode: 'live' }).where(eq(paymentModes.provider, provider));
  expect(await hrefOf(buyer, id)).toBeNull();
  await db().update(paymentModes).set({ mode }).where(eq(paymentModes.provider, provider));

  expect((await cancelTopup(buyer, id)).status).toBe('cancelled');
  expect((await listOpenTopups(buyer, [id])).size).toBe(0);
});

it("a WeChat Pay code continues on this app's page, and the link of a phone does not", async () => {
  const buyer = await makeUser();
  const { id } = await createTopup(buyer, { ...input, provider: 'wechat' });
  expect(await hrefOf(buyer, id)).toBe(`/user/wallet/wechat/${id}`);
  const phone = await createTopup(buyer, { ...input, provider: 'wechat', isMobile: true });
  expect(await hrefOf(buyer, phone.id)).toBeNull();
});
