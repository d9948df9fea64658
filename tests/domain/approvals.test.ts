import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { approvals } from '@/db/schema/approvals';
import { auditLogs } from '@/db/schema/audit';
import { mails } from '@/db/schema/mails';
import { exchangeRates, settings } from '@/db/schema/settings';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { approve, reject } from '@/lib/approvals/decide';
import { getApprovalLimit, setApprovalLimit } from '@/lib/approvals/limit';
import { countDecidable, listApprovals } from '@/lib/approvals/queries';
import { setExchangeRate } from '@/lib/approvals/set-exchange-rate';
import { getWalletBalance } from '@/lib/ledger/balance';
import { createOrder } from '@/lib/orders/order/create';
import { updateOrder } from '@/lib/orders/order/update';
import { acceptPayment } from '@/lib/payments/top-ups/suspended-payments';
import { getExchangeRates } from '@/lib/settings/exchange-rates';
import { createManualTopup } from '@/lib/wallet/manual-topup';
import { approvalExecutors } from '@/lib/workflows/approval-executors';
import { propertyRuns } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';

const limit = 10_000;
let buyer: Actor;
let first: Actor;
let second: Actor;

beforeEach(async () => {
  await db().delete(approvals);
  await db().update(users).set({ status: 'Suspended' });
  await db()
    .insert(settings)
    .values({ key: 'approvals', value: { limitCents: limit } })
    .onConflictDoNothing();
  await db()
    .update(settings)
    .set({ value: { limitCents: limit } })
    .where(eq(settings.key, 'approvals'));
  buyer = await makeUser();
  first = await makeStaff('ManageWallets', 'ManageOrders', 'ManagePayments');
  second = await makeStaff('ManageWallets', 'ManageOrders', 'ManagePayments');
});
keepSoundBooks();

const credit = (actor: Actor, userId: string, amountCents: number, key: string | null = null) =>
  createManualTopup(actor, { userId, amountCents, note: '', currency: 'USD' }, key);
const pending = async () =>
  (await db().select().from(approvals).where(eq(approvals.state, 'pending'))).map(({ id }) => id);
const onlyPending = async () => {
  const [id, ...others] = await pending();
  expect(others).toEqual([]);
  return id ?? '';
};
const conflict = { code: 'conflict' };
const forbidden = { code: 'forbidden' };

async function placeOrder(by: Actor, cents: number): Promise<number> {
  await fundWallet(by.userId, cents);
  const siteId = await makeSite((await makeUser('Seller')).userId, cents);
  const { orders } = await createOrder(by, { kind: 'custom', projectId: await makeProject(by), siteIds: [siteId] });
  return orders[0]?.id ?? 0;
}

describe("an employee's own money", () => {
  it('admins and staff cannot credit, refund or accept payments for themselves', async () => {
    for (const actor of [first, await makeUser('Admin')]) {
      await expect(credit(actor, actor.userId, 100)).rejects.toMatchObject(forbidden);
      const id = await placeOrder(actor, 500);
      await expect(updateOrder(actor, id, { status: 'Refunded' })).rejects.toMatchObject(forbidden);
      expect(await getWalletBalance(actor.userId)).toBe(0);
      await updateOrder(second, id, { status: 'Refunded' });
      expect(await getWalletBalance(actor.userId)).toBe(500);
    }
    await expect(acceptPayment(first, 'unknown')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a manual credit above the limit', () => {
  it('credits nothing before the approval of a second person, and then once', async () => {
    const requested = await credit(first, buyer.userId, limit + 1, 'key');
    expect(requested).toMatchObject({ status: 'Pending', amountCents: limit + 1, balanceCents: 0 });
    expect(await credit(first, buyer.userId, limit + 1, 'key')).toEqual(requested);
    const id = await onlyPending();
    await expect(approve(first, id, approvalExecutors)).rejects.toMatchObject(forbidden);
    await expect(approve(await makeStaff('ManageOrders'), id, approvalExecutors)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await countDecidable(first)).toBe(0);
    expect(await countDecidable(second)).toBe(1);
    const results = await Promise.allSettled([1, 2, 3].map(() => approve(second, id, approvalExecutors)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await getWalletBalance(buyer.userId)).toBe(limit + 1);
    expect(await credit(first, buyer.userId, limit + 1, 'key')).toMatchObject({ status: 'Completed' });
    expect(await getWalletBalance(buyer.userId)).toBe(limit + 1);
    const actions = await db()
      .select({ action: auditLogs.action, user: auditLogs.user })
      .from(auditLogs)
      .where(eq(auditLogs.entityId, id));
    expect(actions).toEqual([
      { action: 'approval.requested', user: first.email },
      { action: 'approval.approved', user: second.email },
    ]);
    expect(await db().$count(mails, eq(mails.recipient, second.email))).toBe(1);
    expect(await db().$count(mails, eq(mails.recipient, first.email))).toBe(0);
  });

  it('cannot be approved by the recipient', async () => {
    await credit(first, second.userId, limit + 1).catch((thrown: unknown) => expect(thrown).toMatchObject(conflict));
    const third = await makeStaff('ManageWallets');
    await credit(first, second.userId, limit + 1);
    const id = await onlyPending();
    await expect(approve(second, id, approvalExecutors)).rejects.toMatchObject(forbidden);
    await approve(third, id, approvalExecutors);
    expect(await getWalletBalance(second.userId)).toBe(limit + 1);
  });

  it('is refused when no second person could approve it', async () => {
    await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, second.userId));
    await expect(credit(first, buyer.userId, limit + 1)).rejects.toMatchObject(conflict);
    expect(await pending()).toEqual([]);
  });

  it('expires after a week or when the requester loses the permission', async () => {
    await credit(first, buyer.userId, limit + 1);
    const id = await onlyPending();
    await db().update(users).set({ role: 'User' }).where(eq(users.id, first.userId));
    await expect(approve(second, id, approvalExecutors)).rejects.toMatchObject(conflict);
    await db().update(users).set({ role: first.role }).where(eq(users.id, first.userId));
    await db()
      .update(approvals)
      .set({ requestedAt: new Date(Date.now() - 8 * 86_400_000) });
    await expect(approve(second, id, approvalExecutors)).rejects.toMatchObject(conflict);
    expect((await listApprovals(second))[0]).toMatchObject({ state: 'expired' });
    expect(await getWalletBalance(buyer.userId)).toBe(0);
  });

  it('returns its refusal for its key after a withdrawal or rejection', async () => {
    await credit(first, buyer.userId, limit + 1, 'again');
    await reject(second, await onlyPending());
    await expect(credit(first, buyer.userId, limit + 1, 'again')).rejects.toMatchObject(conflict);
    await credit(first, buyer.userId, limit + 1);
    await reject(first, await onlyPending());
    expect(await getWalletBalance(buyer.userId)).toBe(0);
  });

  it("cannot be split: one person's credits of a day stay below the limit", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: limit }), { minLength: 1, maxLength: 8 }),
        async (amounts) => {
          const actor = await makeStaff('ManageWallets');
          const wallets = [await makeUser(), await makeUser()];
          const made = await Promise.all(
            amounts.map((cents, index) => credit(actor, wallets[index % 2]?.userId ?? '', cents)),
          );
          const alone = made
            .filter(({ status }) => status === 'Completed')
            .reduce((sum, { amountCents }) => sum + amountCents, 0);
          expect(alone).toBeLessThanOrEqual(limit);
          const held = await Promise.all(wallets.map(({ userId }) => getWalletBalance(userId)));
          expect(held.reduce((sum, cents) => sum + cents, 0)).toBe(alone);
          // Approved credits do not count towards the daily limit.
          for (const id of await pending()) await approve(second, id, approvalExecutors);
          const total = await Promise.all(wallets.map(({ userId }) => getWalletBalance(userId)));
          expect(total.reduce((sum, cents) => sum + cents, 0)).toBe(amounts.reduce((sum, cents) => sum + cents, 0));
        },
      ),
      { numRuns: propertyRuns(8) },
    );
  });
});

describe('a refund above the limit', () => {
  it('leaves the order unchanged until the approval, and refunds once', async () => {
    const id = await placeOrder(buyer, limit + 50);
    await expect(updateOrder(first, id, { status: 'Refunded', adminComments: 'No reply.' })).rejects.toMatchObject(
      conflict,
    );
    await expect(updateOrder(first, id, { status: 'Refunded', adminComments: 'No reply.' })).rejects.toMatchObject(
      conflict,
    );
    expect(await getWalletBalance(buyer.userId)).toBe(0);
    await approve(second, await onlyPending(), approvalExecutors);
    expect(await getWalletBalance(buyer.userId)).toBe(limit + 50);
    expect(await updateOrder(second, id, {})).toMatchObject({ status: 'Refunded', adminComments: 'No reply.' });
  });

  it('is not approved for an order that was refunded meanwhile', async () => {
    const id = await placeOrder(buyer, limit + 50);
    await expect(updateOrder(first, id, { status: 'Refunded' })).rejects.toMatchObject(conflict);
    await db()
      .update(settings)
      .set({ value: { limitCents: 10 * limit } })
      .where(eq(settings.key, 'approvals'));
    await updateOrder(second, id, { status: 'Refunded' });
    await approve(second, await onlyPending(), approvalExecutors);
    expect(await getWalletBalance(buyer.userId)).toBe(limit + 50);
  });

  it('returns only the amount that was approved', async () => {
    const id = await placeOrder(buyer, limit + 50);
    await expect(updateOrder(first, id, { status: 'Refunded' })).rejects.toMatchObject(conflict);
    await db()
      .update(approvals)
      .set({ amountCents: limit + 49 });
    await expect(approve(second, await onlyPending(), approvalExecutors)).rejects.toThrow('has changed since');
    expect(await getWalletBalance(buyer.userId)).toBe(0);
  });

  it("counts the same person's refunds to the same buyer that day", async () => {
    const ids = [await placeOrder(buyer, 6_000), await placeOrder(buyer, 6_000)];
    const refunds = await Promise.allSettled(ids.map((id) => updateOrder(first, id, { status: 'Refunded' })));
    expect(refunds.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await getWalletBalance(buyer.userId)).toBe(6_000);
  });
});

describe('an exchange rate', () => {
  beforeEach(() => db().delete(exchangeRates));
  const rateOf = async () => (await getExchangeRates(db())).get('EUR');

  it('changes by up to 20 % at once, and by more only with a second person', async () => {
    expect(await setExchangeRate(first, { currency: 'EUR', rate: 1_000_000 })).toMatchObject({ isPending: false });
    expect(await setExchangeRate(first, { currency: 'EUR', rate: 1_200_000 })).toMatchObject({ isPending: false });
    expect(await setExchangeRate(first, { currency: 'EUR', rate: 1_440_001 })).toMatchObject({ isPending: true });
    expect(await rateOf()).toBe(1_200_000);
    await approve(second, await onlyPending(), approvalExecutors);
    expect(await rateOf()).toBe(1_440_001);
  });

  it('cannot change further in small steps within a day', async () => {
    await setExchangeRate(first, { currency: 'EUR', rate: 1_000_000 });
    await db()
      .update(exchangeRates)
      .set({ effectiveAt: new Date(Date.now() - 2 * 86_400_000) });
    await setExchangeRate(first, { currency: 'EUR', rate: 1_150_000 });
    expect(await setExchangeRate(first, { currency: 'EUR', rate: 1_250_000 })).toMatchObject({ isPending: true });
    expect(await rateOf()).toBe(1_150_000);
  });
});

describe('the limit itself', () => {
  it('is lowered at once and raised by two people', async () => {
    const at = async () => (await getApprovalLimit()).version;
    expect(await setApprovalLimit(first, { limit: 5_000, version: await at() })).toBeNull();
    expect(await setApprovalLimit(first, { limit: 1_000_000, version: await at() })).toMatchObject({
      state: 'pending',
    });
    expect((await getApprovalLimit()).limitCents).toBe(5_000);
    await approve(second, await onlyPending(), approvalExecutors);
    expect((await getApprovalLimit()).limitCents).toBe(1_000_000);
  });
});
