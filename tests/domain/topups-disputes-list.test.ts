import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { mailOptOuts } from '@/db/schema/mail-opt-outs';
import { notices } from '@/db/schema/notices';
import { paymentReversals } from '@/db/schema/topups';
import { countDisputes, type DisputeState, disputeDashboardUrl, listDisputes } from '@/lib/payments/reversals/disputes';
import { settleReturn } from '@/lib/payments/top-ups/checkout';
import { makeAccount } from '@/tests/factories/make-account';
import { makeRole } from '@/tests/factories/make-staff';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { outboxOf } from '@/tests/setup/outbox';
import { type Opened, withProviders } from '@/tests/setup/payment-providers';

const sandbox = withProviders();
keepSoundBooks();

async function disputed(provider: 'stripe' | 'paypal', cents = 10_000): Promise<Opened> {
  const made = await sandbox.open(provider, cents);
  await sandbox.act(provider, made.reference, provider === 'paypal' ? 'approve' : 'pay');
  await settleReturn(made.buyer, { topupId: made.id, reference: null });
  await sandbox.act(provider, made.reference, 'deliver');
  expect(await sandbox.act(provider, made.reference, 'dispute')).toBe(200);
  await sandbox.act(provider, made.reference, 'deliver');
  return made;
}
const listed = async (state: DisputeState, ...made: Opened[]) => {
  const rows = await listDisputes(state, { limit: 100, offset: 0 });
  return rows.filter(({ topupId }) => made.some(({ id }) => id === topupId));
};

describe.each(['stripe', 'paypal'] as const)('a dispute at %s', (provider) => {
  it('is listed with amount, reason, deadline and provider page, and moves to the ended ones', async () => {
    const made = await disputed(provider);
    const [open, ...more] = await listed('open', made);
    expect(more).toEqual([]);
    expect(open).toMatchObject({
      ...{ provider, amountMinor: 10_000, currency: 'USD', outcome: null, user: { id: made.buyer.userId } },
      reason: provider === 'stripe' ? 'fraudulent' : 'UNAUTHORISED',
    });
    const days = ((open?.evidenceDueBy?.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(5);
    expect(open && disputeDashboardUrl(open)).toMatch(
      provider === 'stripe'
        ? /^https:\/\/dashboard\.stripe\.com\/test\/disputes\/d[up]_\w+$/
        : /^https:\/\/www\.sandbox\.paypal\.com\/resolutioncenter\/view\/PP-/,
    );
    await sandbox.act(provider, made.reference, 'dispute-won');
    await sandbox.act(provider, made.reference, 'deliver');
    expect(await listed('open', made)).toEqual([]);
    expect(await listed('ended', made)).toMatchObject([{ outcome: 'won' }]);
  });

  it('notifies staff with ManagePayments once by bell and mail, and no other users', async () => {
    const holder = await makeAccount({ role: await makeRole(['AdminDashboard', 'ManagePayments']) });
    const quiet = await makeAccount({ role: await makeRole(['AdminDashboard', 'ManagePayments']) });
    const other = await makeAccount({ role: await makeRole(['AdminDashboard', 'ManageWallets']) });
    await db().insert(mailOptOuts).values({ userId: quiet.userId, kind: 'payment-dispute' });
    const made = await disputed(provider, 12_345);
    await sandbox.act(provider, made.reference, 'redeliver');
    const name = provider === 'stripe' ? 'Stripe' : 'PayPal';
    const bellOf = async ({ userId }: { userId: string }) =>
      (
        await db()
          .select()
          .from(notices)
          .where(and(eq(notices.userId, userId), eq(notices.kind, 'payment.disputed')))
      ).map(({ subject }) => subject);
    expect(await bellOf(holder)).toEqual([`$123.45 at ${name}`]);
    expect(await bellOf(quiet)).toEqual([`$123.45 at ${name}`]);
    expect(await bellOf(other)).toEqual([]);
    const [mail, ...more] = await outboxOf(holder.email);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ kind: 'payment-dispute', subject: `$123.45 disputed at ${name}` });
    for (const text of [made.buyer.email, `${name} accepts evidence until`, '/dashboard/features/payments/disputes']) {
      expect(mail?.text).toContain(text);
    }
    expect(await outboxOf(quiet.email)).toEqual([]);
    expect(await outboxOf(other.email)).toEqual([]);
  });
});

it('sorts by the nearest deadline, with matching pages and counts', async () => {
  const late = await disputed('paypal');
  const early = await disputed('stripe');
  expect((await listed('open', late, early)).map(({ topupId }) => topupId)).toEqual([early.id, late.id]);
  const total = await countDisputes('open');
  expect(total).toBeGreaterThanOrEqual(2);
  const all = await listDisputes('open', { limit: total, offset: 0 });
  expect(all).toHaveLength(total);
  expect(await listDisputes('open', { limit: 1, offset: 1 })).toEqual(all.slice(1, 2));
});

it("PayPal's withholding for a dispute is not listed as a second dispute", async () => {
  const made = await disputed('paypal');
  await sandbox.act('paypal', made.reference, 'reverse');
  await sandbox.act('paypal', made.reference, 'deliver');
  expect(await db().select().from(paymentReversals).where(eq(paymentReversals.topupId, made.id))).toHaveLength(2);
  expect(await listed('open', made)).toHaveLength(1);
  expect(await listed('ended', made)).toEqual([]);
});
