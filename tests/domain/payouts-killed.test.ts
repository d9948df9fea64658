import { once } from 'node:events';
import { eq } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { db } from '@/db/client';
import { type PayoutState, payoutBatches, payouts } from '@/db/schema/payouts';
import { settings } from '@/db/schema/settings';
import type { Actor } from '@/lib/access/actor';
import { exportPayouts } from '@/lib/payouts/bank/export';
import { getAvailableCents } from '@/lib/payouts/request';
import { bankAccount, makePayableSeller, makePayout } from '@/tests/factories/make-payout';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { forkWorker } from '@/tests/setup/fork-worker';
import type { PayoutWork } from '@/tests/setup/payouts-worker';

// The app runs in a process of its own. PostgreSQL blocks a statement of a step, and the process gets SIGKILL there.
// Then the step is repeated to its end.

const gateKey = 4_712;
const gate = { sql: postgres('postgres://nowhere') };

beforeAll(async () => {
  gate.sql = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 2, onnotice: () => undefined });
  await gate.sql.unsafe(`
    create function public.wait_at_the_payout_gate() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${gateKey}); return new; end $$;
    grant execute on function public.wait_at_the_payout_gate() to public;`);
  await db()
    .insert(settings)
    .values({ key: 'payout-rules', value: { payer: bankAccount } });
});
afterAll(() => gate.sql.end());

function startWorker() {
  const worker = forkWorker('payouts-worker');
  const ended = once(worker, 'exit').then(([code, signal]) => ({ code, signal }));
  return { process: worker, ended };
}

async function killedAt(event: string, table: string, work: PayoutWork): Promise<void> {
  const holder = await gate.sql.reserve();
  await gate.sql.unsafe(
    `create trigger a_gate before ${event} on ${table} for each row execute function wait_at_the_payout_gate()`,
  );
  await holder`select pg_advisory_lock(${gateKey})`;
  const worker = startWorker();
  worker.process.send(work);
  try {
    const waiting = gate.sql`
      datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;
    const held = () => gate.sql`select pid from pg_stat_activity where ${waiting}`;
    const early = worker.ended.then(({ code }) => Promise.reject(new Error(`The process ended with ${code}.`)));
    await Promise.race([expect.poll(held, { timeout: 60_000 }).toHaveLength(1), early]);
    worker.process.kill('SIGKILL');
    expect((await worker.ended).signal).toBe('SIGKILL');
    await gate.sql`select pg_terminate_backend(pid) from pg_stat_activity where ${waiting}`;
    await expect.poll(held).toHaveLength(0);
  } finally {
    await holder`select pg_advisory_unlock(${gateKey})`;
    holder.release();
    await gate.sql.unsafe(`drop trigger a_gate on ${table}`);
  }
}

/** The process of the steps that run to their end. */
const repeater = startWorker();
afterAll(async () => {
  repeater.process.disconnect();
  expect(await repeater.ended).toMatchObject({ code: 0 });
});

async function done(work: PayoutWork): Promise<void> {
  repeater.process.send(work);
  const answer = once(repeater.process, 'message').then(([message]: unknown[]) => message);
  expect(await Promise.race([answer, repeater.ended])).toBe('done');
}

/** The step, the state before and after it, what is available after it, and the statement at which it is killed. */
const cases: [PayoutWork['step'], PayoutState | null, PayoutState, number, string, string][] = [
  ['request', null, 'requested', 0, 'insert', 'ledger.transfers'],
  ['withdraw', 'requested', 'withdrawn', 10_000, 'insert', 'ledger.transfers'],
  ['approve', 'requested', 'approved', 0, 'insert', 'public.audit_logs'],
  ['export', 'approved', 'sent', 0, 'update', 'public.payouts'],
  ['paid', 'approved', 'paid', 0, 'insert', 'ledger.transfers'],
  ['failed', 'approved', 'failed', 10_000, 'insert', 'ledger.transfers'],
  ['executed', 'sent', 'paid', 0, 'insert', 'ledger.transfers'],
  ['bounced', 'paid', 'returned', 10_000, 'insert', 'ledger.transfers'],
];

const rowsOf = (seller: Actor) => db().select().from(payouts).where(eq(payouts.sellerId, seller.userId));

/** A payout of $100.00 in the state; a paid one was in a bank file. */
async function prepare(state: PayoutState | null) {
  if (state === null) return { seller: await makePayableSeller(), staff: await makeUser('Admin'), payoutId: '' };
  const isInFile = state === 'sent' || state === 'paid';
  const { seller, staff, payout } = await makePayout(isInFile ? 'approved' : state);
  if (isInFile) await exportPayouts(staff, { format: 'csv', ids: [payout.id] });
  return { seller, staff, payoutId: payout.id };
}

it.each(cases)(
  '%s: killed before the commit it changed nothing, and repeated it happens once',
  async (step, before, after, availableCents, event, table) => {
    const { seller, staff, payoutId } = await prepare(before);
    const work = { step, sellerId: seller.userId, staffId: staff.userId, payoutId, cents: 10_000 };
    if (step === 'bounced') await done({ ...work, step: 'executed' });
    const count = async () => (await db().select().from(payoutBatches)).length;
    const [rows, available, batches] = [await rowsOf(seller), await getAvailableCents(seller.userId), await count()];
    await killedAt(event, table, work);
    expect(await rowsOf(seller)).toEqual(rows);
    expect([await getAvailableCents(seller.userId), await count()]).toEqual([available, batches]);
    await expectSoundBooks();
    await done(work);
    expect(await rowsOf(seller)).toMatchObject([{ state: after }]);
    expect([await getAvailableCents(seller.userId), await count()]).toEqual([
      availableCents,
      batches + (step === 'export' ? 1 : 0),
    ]);
    await expectSoundBooks();
  },
  120_000,
);
