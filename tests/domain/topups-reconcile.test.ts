import { inArray, sql } from 'drizzle-orm';
import postgres from 'postgres';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { type PaymentProviderName, topups } from '@/db/schema/topups';
import { findPaymentIssues } from '@/lib/payments/top-ups/payment-issues';
import { reconcileTopups } from '@/lib/payments/top-ups/reconcile';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { topupRow, withProviders } from '@/tests/setup/payment-providers';

const sandbox = withProviders();
keepSoundBooks();

/** Open top-ups that are due for a check now. */
async function due(provider: PaymentProviderName, count: number) {
  const made = [];
  for (let index = 0; index < count; index += 1) made.push(await sandbox.open(provider, 1_000));
  await db()
    .update(topups)
    .set({ nextCheckAt: sql`now() - interval '1 minute'` })
    .where(
      inArray(
        topups.id,
        made.map(({ id }) => id),
      ),
    );
  return made;
}
const rowsOf = (made: { id: string }[]) => Promise.all(made.map(({ id }) => topupRow(id)));

it.each(['down', 'error', 'garbage'])('checks a few top-ups of a provider that is %s, and all others', async (api) => {
  const silent = await due('paypal', 12);
  const answering = [...(await due('stripe', 6)), ...(await due('wechat', 6))];
  await sandbox.control('paypal', { api });
  const { failed } = await reconcileTopups();
  expect(failed).toBeGreaterThanOrEqual(3);
  expect(failed).toBeLessThanOrEqual(6);
  const checked = (await rowsOf(silent)).filter(({ checks }) => checks > 0);
  expect(checked).toHaveLength(failed);
  for (const { reason } of checked) expect(reason).toMatch(/^The provider could not be queried: PayPal/);
  expect((await rowsOf(answering)).map(({ checks }) => checks)).toEqual(answering.map(() => 1));

  // The others are still due, and are checked when the provider is available again.
  await sandbox.control('paypal', { api: 'normal' });
  expect(await reconcileTopups()).toMatchObject({ failed: 0, waiting: 12 - failed });
  await db().update(topups).set({ nextCheckAt: null });
});

it('a top-up that the provider does not know does not count as an outage', async () => {
  const made = await due('stripe', 8);
  for (const { id } of made) {
    await db()
      .update(topups)
      .set({ providerReference: `cs_test_gone_${id}` })
      .where(sql`id = ${id}`);
  }
  expect(await reconcileTopups()).toMatchObject({ failed: 8 });
  await db().update(topups).set({ nextCheckAt: null });
});

it('gives up a pending payment at the end, and shows it to an admin', async () => {
  const [made] = await due('stripe', 1);
  if (!made) throw new Error('No top-up');
  await sandbox.act('stripe', made.reference, 'pay-later');
  await db().update(topups).set({ createdAt: sql`now() - interval '31 days'` }).where(sql`id = ${made.id}`);
  await reconcileTopups();
  expect(await topupRow(made.id)).toMatchObject({ status: 'pending', nextCheckAt: null });
  const { topups: open } = await findPaymentIssues('stripe', 'test');
  expect(open.newest.find(({ id }) => id === made.id)?.why).toMatch(/^Still open at the provider after 30 days/);
});

it('stores an internal error without query parameters', async () => {
  const [made] = await due('stripe', 1);
  if (!made) throw new Error('No top-up');
  await sandbox.act('stripe', made.reference, 'pay');
  const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
  await owner`alter function ledger.post_transfer rename to post_transfer_gone`;
  await reconcileTopups();
  await owner`alter function ledger.post_transfer_gone rename to post_transfer`;
  await owner.end();
  const { reason, status } = await topupRow(made.id);
  expect(status).toBe('pending');
  expect(reason).toMatch(/^It could not be settled: .*post_transfer/);
  expect(reason).not.toContain(made.id);
  expect(reason).not.toContain('params');
  await db().update(topups).set({ nextCheckAt: sql`now()` }).where(sql`id = ${made.id}`);
  expect(await reconcileTopups()).toEqual({ settled: 1, waiting: 0, failed: 0 });
});

it('shows an admin what could not be processed or checked, and why, until it is resolved', async () => {
  await db().update(topups).set({ reason: null });
  const made = await sandbox.open('stripe', 1_000);
  await sandbox.act('stripe', made.reference, 'pay');
  const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
  await owner`alter function ledger.post_transfer rename to post_transfer_gone`;
  await sandbox.act('stripe', made.reference, 'deliver');
  await db().update(topups).set({ nextCheckAt: sql`now()` }).where(sql`id = ${made.id}`);
  await reconcileTopups();
  await owner`alter function ledger.post_transfer_gone rename to post_transfer`;
  await owner.end();
  const why = expect.stringContaining('post_transfer');
  expect(await findPaymentIssues('stripe', 'test')).toMatchObject({
    notifications: { count: 1, newest: [{ type: 'checkout.session.completed', why }] },
    topups: { count: 1, newest: [{ id: made.id, why }] },
  });
  expect(await findPaymentIssues('stripe', 'live')).toMatchObject({
    notifications: { count: 0 },
    topups: { count: 0 },
  });
  await sandbox.act('stripe', made.reference, 'redeliver');
  const none = { count: 0, newest: [] };
  expect(await findPaymentIssues('stripe', 'test')).toEqual({ notifications: none, topups: none });
});
