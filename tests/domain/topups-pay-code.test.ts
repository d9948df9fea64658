import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { topups } from '@/db/schema/topups';
import { newId } from '@/lib/ids';
import { createTopup } from '@/lib/payments/top-ups/create';
import { getPayCode } from '@/lib/payments/top-ups/queries';
import { makeUser } from '@/tests/factories/make-user';
import { topupRow, withProviders } from '@/tests/setup/payment-providers';

const sandbox = withProviders();
const input = { provider: 'wechat' as const, amountCents: 5_000, returnUrl: '/user/wallet' };

it('is visible to the owner of the top-up only', async () => {
  const buyer = await makeUser();
  const { id } = await createTopup(buyer, input);
  const { payCode, chargeAmountMinor } = await topupRow(id);
  expect(await getPayCode(buyer, id)).toMatchObject({ id, payCode, chargeAmountMinor, chargeCurrency: 'CNY' });
  await expect(getPayCode(await makeUser(), id)).rejects.toMatchObject({ code: 'not_found' });
});

it('is missing where the phone opens the app itself', async () => {
  const buyer = await makeUser();
  const { id } = await createTopup(buyer, { ...input, isMobile: true });
  await expect(getPayCode(buyer, id)).rejects.toMatchObject({ code: 'not_found' });
});

it("stays on the first call's page; a repeat from a phone gets none", async () => {
  const buyer = await makeUser();
  const key = newId();
  const { id, url } = await createTopup(buyer, input, key);
  const { payCode, nextCheckAt } = await topupRow(id);
  expect(payCode).not.toBeNull();
  // Back to the state in which the first call waits for its response, at a WeChat Pay that gives the phone its own
  // page.
  await sandbox.forget();
  await sandbox.control('wechat', { slowMs: 3_000 });
  await db().update(topups).set({ status: 'created', checkoutUrl: null, payCode: null }).where(eq(topups.id, id));
  const repeating = createTopup(buyer, { ...input, isMobile: true }, key);
  await expect.poll(async () => (await topupRow(id)).nextCheckAt, { timeout: 3_000 }).not.toEqual(nextCheckAt);
  await db().update(topups).set({ status: 'pending', checkoutUrl: url, payCode }).where(eq(topups.id, id));

  expect((await repeating).url).not.toBe(url);
  expect(await getPayCode(buyer, id)).toMatchObject({ payCode, status: 'pending' });
});
