import { expect, it } from 'vitest';
import { systemActor } from '@/lib/access/actor';
import { getEarningsSummary } from '@/lib/earnings/summary';
import { getOwedCents, getWalletBalance } from '@/lib/ledger/balance';
import { createOrder } from '@/lib/orders/order/create';
import { reverseTopup } from '@/lib/payments/reversals/reverse';
import { settleReturn } from '@/lib/payments/top-ups/checkout';
import { approvePayout } from '@/lib/payouts/approve';
import { markPayoutPaid } from '@/lib/payouts/mark';
import { requestPayout } from '@/lib/payouts/request';
import { makePayoutMethod } from '@/tests/factories/make-payout';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { checkLink, passLinkTime } from '@/tests/setup/link-checks';
import { accept, approve, deliver } from '@/tests/setup/placement-verbs';
import { returnOf, topupOf, withSandbox } from '@/tests/setup/stripe-sandbox';

const sandbox = withSandbox();
keepSoundBooks();

it('a chargeback after a payout leaves the money of the seller alone and the debt of the buyer standing', async () => {
  const { id: topupId, sessionId, buyer } = await sandbox.openTopup(40_000);
  await sandbox.decide(sessionId, 'pay');
  await settleReturn(buyer, returnOf(topupId));
  const [seller, staff] = [await makeUser('Seller'), await makeUser('Admin')];
  const siteId = await makeSite(seller.userId, 40_000, { isFulfilledByStaff: false, sellerPriceCents: 30_000 });
  const projectId = await makeProject(buyer);
  const { orders } = await createOrder(buyer, { kind: 'custom', projectId, siteIds: [siteId] });
  const placed = { id: orders[0]?.id ?? 0, buyer, seller };
  await accept(placed);
  await deliver(placed);
  await approve(placed);
  await makePayoutMethod(seller.userId);
  const { id } = await requestPayout(seller, {});
  await approvePayout(staff, id);
  await markPayoutPaid(staff, id, { reference: '' });
  const before = await getEarningsSummary(seller.userId);
  expect(before).toMatchObject({ paidCents: 12_000, ripeningCents: 18_000, availableCents: 0 });

  const { paymentReference } = await topupOf(topupId);
  await reverseTopup(systemActor('Tests', 'webhook'), topupId, {
    ...{ about: 'reversal', kind: 'dispute', reference: `dp_${topupId}`, paymentReference: paymentReference ?? '' },
    ...{ topupId, mode: 'test', amountMinor: 40_000, currency: 'USD', money: 'taken', outcome: 'lost' },
  });
  expect(await getEarningsSummary(seller.userId)).toEqual(before);
  expect([await getWalletBalance(buyer.userId), await getOwedCents(buyer.userId)]).toEqual([0, 40_000]);

  // What was earned goes on to ripen.
  await passLinkTime(placed.id, 3 * 24 * 3_600_000);
  await checkLink(placed.id, 'ok');
  const after = await getEarningsSummary(seller.userId);
  expect(after.availableCents).toBeGreaterThan(0);
  expect(after.availableCents + after.ripeningCents).toBe(18_000);
});
