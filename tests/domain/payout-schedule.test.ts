import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { type PayoutSchedule, payoutProfiles, payouts } from '@/db/schema/payouts';
import { settings } from '@/db/schema/settings';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { requestPayout } from '@/lib/payouts/request';
import {
  getNextRequestAt,
  getPayoutSchedule,
  requestScheduledPayouts,
  setPayoutSchedule,
} from '@/lib/payouts/schedule';
import { makePayableSeller, makePayoutMethod } from '@/tests/factories/make-payout';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';

const payoutsOf = ({ userId }: Actor) => db().select().from(payouts).where(eq(payouts.sellerId, userId));

/** Chooses a schedule whose next request is due now. */
async function makeDue(seller: Actor, schedule: PayoutSchedule = 'weekly') {
  await setPayoutSchedule(seller, schedule);
  await db()
    .update(payoutProfiles)
    .set({ nextRequestAt: new Date(Date.now() - 60_000) })
    .where(eq(payoutProfiles.sellerId, seller.userId));
}

/** The next Monday or first of the month at 06:00 UTC. */
async function expectNextDate(seller: Actor) {
  const { nextRequestAt } = await getPayoutSchedule(seller.userId);
  expect(nextRequestAt?.toISOString()).toMatch(/T06:00:00\.000Z$/);
  expect(nextRequestAt?.getTime()).toBeGreaterThan(Date.now());
}

beforeEach(async () => {
  await db().delete(settings);
  await db().update(payoutProfiles).set({ nextRequestAt: null });
});
keepSoundBooks();

describe('the next date', () => {
  it.each([
    ['weekly', '2026-11-23T05:59:59.999Z', '2026-11-23T06:00:00.000Z'],
    ['weekly', '2026-11-23T06:00:00.000Z', '2026-11-30T06:00:00.000Z'],
    ['weekly', '2026-11-29T23:00:00.000Z', '2026-11-30T06:00:00.000Z'],
    ['weekly', '2026-12-29T00:00:00.000Z', '2027-01-04T06:00:00.000Z'],
    ['monthly', '2026-12-01T05:00:00.000Z', '2026-12-01T06:00:00.000Z'],
    ['monthly', '2026-12-01T06:00:00.000Z', '2027-01-01T06:00:00.000Z'],
    ['monthly', '2028-01-31T12:00:00.000Z', '2028-02-01T06:00:00.000Z'],
  ] as const)('of a %s schedule after %s is %s', (schedule, now, next) => {
    expect(getNextRequestAt(schedule, new Date(now))?.toISOString()).toBe(next);
  });

  it('does not exist for requests by hand', () => {
    expect(getNextRequestAt('manual', new Date())).toBeNull();
  });
});

describe('a seller', () => {
  it('chooses a schedule, which is audited once, and goes back to requests by hand', async () => {
    const seller = await makeUser('Seller');
    expect(await getPayoutSchedule(seller.userId)).toEqual({ schedule: 'manual', nextRequestAt: null });
    await setPayoutSchedule(seller, 'monthly');
    await setPayoutSchedule(seller, 'monthly');
    await expectNextDate(seller);
    expect(await setPayoutSchedule(seller, 'manual')).toEqual({ schedule: 'manual', nextRequestAt: null });
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.userId, seller.userId)).orderBy(auditLogs.id);
    expect(lines.map(({ details }) => details)).toEqual([
      `${seller.email} changed the schedule of payouts manual → monthly.`,
      `${seller.email} changed the schedule of payouts monthly → manual.`,
    ]);
  });

  it('cannot while payouts are turned off', async () => {
    await db().insert(settings).values({ key: 'flag.payouts', value: false });
    await expect(setPayoutSchedule(await makeUser('Seller'), 'weekly')).rejects.toMatchObject({
      code: 'not_configured',
    });
  });
});

describe('scheduled payouts', () => {
  it('are requested once of all that is available, also by instances at once', async () => {
    const sellers = [await makePayableSeller(7_000), await makePayableSeller(8_000), await makePayableSeller(9_000)];
    for (const seller of sellers) await makeDue(seller);
    const counts = await Promise.all([requestScheduledPayouts(), requestScheduledPayouts(), requestScheduledPayouts()]);
    expect(counts.reduce((sum, { requested }) => sum + requested, 0)).toBe(3);
    for (const [index, seller] of sellers.entries()) {
      expect(await payoutsOf(seller)).toMatchObject([
        { isScheduled: true, state: 'requested', amountCents: 7_000 + index * 1_000 },
      ]);
      await expectNextDate(seller);
    }
    expect(await requestScheduledPayouts()).toEqual({ requested: 0, skipped: 0, failed: 0 });
  });

  it('wait for the next date below the minimum, without a method, with an open payout, and of a suspended seller', async () => {
    const poor = await makePayableSeller(4_999);
    const { seller: unset } = await makePlacement('closed', { sellerCents: 9_000 });
    const waiting = await makePayableSeller(20_000);
    await requestPayout(waiting, { amountCents: 6_000 });
    const suspended = await makePayableSeller(9_000);
    await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, suspended.userId));
    const sellers = [poor, unset, waiting, suspended];
    for (const seller of sellers) await makeDue(seller, 'monthly');
    expect(await requestScheduledPayouts()).toEqual({ requested: 0, skipped: 4, failed: 0 });
    for (const seller of sellers) await expectNextDate(seller);
    expect((await Promise.all(sellers.map(payoutsOf))).flat()).toHaveLength(1);
    await makePayoutMethod(unset.userId);
    await makeDue(unset, 'weekly');
    expect(await requestScheduledPayouts()).toMatchObject({ requested: 1 });
  });

  it('are not requested while payouts are turned off, and once when they are on again', async () => {
    const seller = await makePayableSeller(9_000);
    await makeDue(seller);
    await db().insert(settings).values({ key: 'flag.payouts', value: false });
    expect(await requestScheduledPayouts()).toEqual({ requested: 0, skipped: 0, failed: 0 });
    await db().delete(settings);
    expect(await requestScheduledPayouts()).toEqual({ requested: 1, skipped: 0, failed: 0 });
    expect(await payoutsOf(seller)).toHaveLength(1);
  });

  it('follow a change of the schedule at the same time', async () => {
    const seller = await makePayableSeller(9_000);
    await makeDue(seller);
    const [{ requested, skipped }] = await Promise.all([
      requestScheduledPayouts(),
      setPayoutSchedule(seller, 'manual'),
    ]);
    expect(requested + skipped).toBeLessThanOrEqual(1);
    expect(await getPayoutSchedule(seller.userId)).toEqual({ schedule: 'manual', nextRequestAt: null });
    expect(await payoutsOf(seller)).toHaveLength(requested);
  });
});
