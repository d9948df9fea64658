import { and, eq, isNull, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { paymentProviders, webhookEvents } from '@/db/schema/topups';
import { getWalletBalance } from '@/lib/ledger/balance';
import { findPaymentIssues } from '@/lib/payments/top-ups/payment-issues';
import { retryNotifications } from '@/lib/payments/webhooks/retry-notifications';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { withProviders } from '@/tests/setup/payment-providers';

const sandbox = withProviders();
keepSoundBooks();

/** Lists the notifications of a provider that are not processed. Those of an earlier test may still arrive. */
const stuck = (provider: (typeof paymentProviders)[number]) =>
  db()
    .select()
    .from(webhookEvents)
    .where(and(eq(webhookEvents.provider, provider), isNull(webhookEvents.processedAt)));
const makeDue = () => db().update(webhookEvents).set({ retryAt: sql`now()` }).where(isNull(webhookEvents.processedAt));

/** A paid top-up whose notification was stored and failed, because the ledger rejected it. */
async function failedNotification(provider: (typeof paymentProviders)[number]) {
  await db().delete(webhookEvents);
  const made = await sandbox.open(provider, 4_200);
  expect(await sandbox.act(provider, made.reference, provider === 'paypal' ? 'approve' : 'pay')).toBe(200);
  await refusing(async () => {
    await sandbox.act(provider, made.reference, 'deliver');
    expect(await stuck(provider)).not.toEqual([]);
  });
  return made;
}

/** Until it ends, PostgreSQL rejects every transfer. */
async function refusing(work: () => Promise<void>): Promise<void> {
  const { default: postgres } = await import('postgres');
  const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
  await owner.unsafe(`create function public.refuse() returns trigger language plpgsql as
      $$ begin raise exception 'not now'; end $$;
    create trigger a_refusal before insert on ledger.transfers for each row execute function public.refuse();`);
  try {
    await work();
  } finally {
    await owner.unsafe('drop function public.refuse() cascade');
    await owner.end();
  }
}

it.each(paymentProviders)('the job processes a failed notification of %s once', async (provider) => {
  const made = await failedNotification(provider);
  expect(await retryNotifications()).toEqual({ processed: 0, failed: 0 });
  const [row] = await stuck(provider);
  expect(row?.error).toContain('not now');

  await makeDue();
  const runs = await Promise.all([retryNotifications(), retryNotifications()]);
  expect(runs.reduce((sum, { processed }) => sum + processed, 0)).toBeGreaterThan(0);
  expect(await getWalletBalance(made.buyer.userId)).toBe(4_200);
  expect(await stuck(provider)).toEqual([]);
  await sandbox.act(provider, made.reference, 'redeliver');
  expect(await getWalletBalance(made.buyer.userId)).toBe(4_200);
});

it('backs off after each failure, up to an hour, for three days', async () => {
  await failedNotification('stripe');
  const waits: number[] = [];
  await refusing(async () => {
    for (let run = 0; run < 8; run += 1) {
      await makeDue();
      expect(await retryNotifications()).toMatchObject({ processed: 0 });
      const [row] = await db()
        .select({ wait: sql<number>`round(extract(epoch from retry_at - now()))::int` })
        .from(webhookEvents)
        .where(isNull(webhookEvents.processedAt));
      waits.push(Math.round((row?.wait ?? 0) / 60));
    }
    await db().update(webhookEvents).set({ receivedAt: sql`now() - interval '73 hours'`, retryAt: sql`now()` });
    await retryNotifications();
  });
  expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  const [row] = await stuck('stripe');
  expect(row).toMatchObject({ retryAt: null, error: expect.stringContaining('not now') });
});

it('retries a notification whose process was killed before storing the reason', async () => {
  const made = await failedNotification('stripe');
  const killed = and(isNull(webhookEvents.processedAt), eq(webhookEvents.provider, 'stripe'));
  await db().update(webhookEvents).set({ error: null, retryAt: sql`received_at` }).where(killed);
  await retryNotifications();
  expect(await getWalletBalance(made.buyer.userId)).toBe(4_200);
});

it('shows a killed notification that cannot be read any more, with the reason', async () => {
  await failedNotification('stripe');
  await db()
    .update(webhookEvents)
    .set({ error: null, payload: {}, retryAt: sql`now()` })
    .where(isNull(webhookEvents.processedAt));
  const [row] = await stuck('stripe');
  expect(await findPaymentIssues('stripe', row?.mode ?? 'live')).toMatchObject({ notifications: { count: 0 } });
  expect(await retryNotifications()).toEqual({ processed: 0, failed: 1 });
  const { notifications } = await findPaymentIssues('stripe', row?.mode ?? 'live');
  expect(notifications).toMatchObject({ count: 1, newest: [{ why: expect.stringMatching(/\S/) }] });
});
