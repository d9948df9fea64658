import { describe, expect, it } from 'vitest';
import { adminOrderView, buyerOrderView } from '@/lib/orders/contract';
import { describeSteps, getStepTimes, stepFactsOf } from '@/lib/orders/notices/steps';
import { getAdminOrder, getOrder } from '@/lib/orders/order/queries';
import { updateOrder } from '@/lib/orders/order/update';
import { makeOffer } from '@/tests/factories/make-offer';
import { makeOrder } from '@/tests/factories/make-order';
import { makeUser } from '@/tests/factories/make-user';
import { accept, approve, decline, deliver } from '@/tests/setup/placement-verbs';

const admin = await makeUser('Admin');

async function stepsOfStaff(id: number) {
  const row = await getAdminOrder(id);
  return describeSteps(stepFactsOf(adminOrderView(row), row.status), await getStepTimes(id, 'staff'));
}

describe('the steps of an order', () => {
  it('have the times of the placement’s events, for buyer and staff alike', async () => {
    const offer = await makeOffer(2_000);
    await accept(offer);
    await deliver(offer);
    await approve(offer);
    const steps = await stepsOfStaff(offer.id);
    expect(steps.map(({ label }) => label).slice(0, 4)).toEqual(['Ordered', 'Accepted', 'Published', 'Live']);
    const times = steps.slice(0, 4).map(({ at }) => Date.parse(at ?? ''));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    for (const time of times) expect(Math.abs(Date.now() - time)).toBeLessThan(60_000);
    const row = await getOrder(offer.buyer, offer.id);
    const ofBuyer = describeSteps(stepFactsOf(buyerOrderView(row), row.status), await getStepTimes(offer.id, 'buyer'));
    expect(ofBuyer).toEqual(steps);
  });

  it('name the refusal and the refund, of which the seller sees the refusal alone', async () => {
    const offer = await makeOffer(2_000);
    await decline(offer);
    const steps = await stepsOfStaff(offer.id);
    expect(steps.slice(1)).toMatchObject([
      { label: 'Declined', state: 'failed', at: expect.any(String) },
      { label: 'Refunded', state: 'done', at: expect.any(String) },
    ]);
    const ofSeller = await getStepTimes(offer.id, 'seller');
    expect(ofSeller.statuses.size).toBe(0);
    expect([...ofSeller.events.keys()].sort()).toEqual(['declined', 'ordered']);
  });

  it('have the times at which staff set the statuses', async () => {
    const { id } = await makeOrder(1_000);
    await updateOrder(admin, id, { status: 'Processing' });
    await updateOrder(admin, id, { linkUrl: 'https://news.example.com/page' });
    expect(await stepsOfStaff(id)).toMatchObject([
      { label: 'Ordered', state: 'done' },
      { label: 'Accepted', state: 'done', at: expect.any(String) },
      { label: 'Live', state: 'done', at: expect.any(String) },
    ]);
    await updateOrder(admin, id, { status: 'Refunded', isRejection: true });
    expect((await stepsOfStaff(id)).slice(-2)).toMatchObject([
      { label: 'Rejected', state: 'failed', at: expect.any(String) },
      { label: 'Refunded', state: 'done', at: expect.any(String) },
    ]);
  });
});
