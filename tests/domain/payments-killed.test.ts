import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eq, sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { paymentProviders, topups, webhookEvents } from '@/db/schema/topups';
import { reconcileTopups } from '@/lib/topups/reconcile';
import { settleReturn } from '@/lib/topups/settle-return';
import { getWalletBalance } from '@/lib/wallet/balance';
import { listWalletTransactions } from '@/lib/wallet/queries';
import { makeUser } from '../factories/make-user';
import { expectSoundBooks } from '../setup/expect-sound-books';
import { type Opened, someAddress, topupRow, withProviders } from '../setup/payment-providers';
import type { Work } from '../setup/payments-worker';

// The app does its work in a process of its own, PostgreSQL holds what it writes after the provider's answer, and the
// process gets SIGKILL there: between the answer and our commit. Then the app is there again.

const sandbox = withProviders();
afterEach(expectSoundBooks);

const amountCents = 4_200;
const gateKey = 4_711;
const gate = { sql: postgres('postgres://nowhere') };

beforeAll(async () => {
  gate.sql = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 2, onnotice: () => undefined });
  await gate.sql.unsafe(`
    create function public.wait_at_the_gate() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${gateKey}); return new; end $$;
    grant execute on function public.wait_at_the_gate() to public;
    create trigger a_gate before update on public.topups for each row execute function public.wait_at_the_gate();
    create trigger a_gate before insert on ledger.transfers for each row execute function public.wait_at_the_gate();`);
});
afterAll(() => gate.sql.end());

const places = { 'the intent': 'topups', 'the ledger': 'transfers' } as const;
type Place = keyof typeof places;

/** Runs the work until PostgreSQL holds it at a place, and ends it there; what it held open is rolled back. */
async function killedAt(place: Place, work: Work): Promise<void> {
  const holder = await gate.sql.reserve();
  const other = place === 'the ledger' ? 'public.topups' : 'ledger.transfers';
  await gate.sql.unsafe(`alter table ${other} disable trigger a_gate`);
  await holder`select pg_advisory_lock(${gateKey})`;
  const { process: worker, ended } = run(work);
  try {
    const waiting = gate.sql`
      datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;
    const held = () => gate.sql`select pid from pg_stat_activity where ${waiting}`;
    await Promise.race([expect.poll(held).toHaveLength(1), ended.then(({ said }) => Promise.reject(new Error(said)))]);
    worker.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    // PostgreSQL would notice only after the statement that it is at, and keep one that is a transaction of its own.
    await gate.sql`select pg_terminate_backend(pid) from pg_stat_activity where ${waiting}`;
    await expect.poll(held).toHaveLength(0);
  } finally {
    await holder`select pg_advisory_unlock(${gateKey})`;
    holder.release();
    await gate.sql.unsafe(`alter table ${other} enable trigger a_gate`);
  }
}

/** The same work again, to its end. */
async function done(work: Work): Promise<void> {
  const { ended } = run(work);
  const { code, said } = await ended;
  expect({ code, said }).toEqual({ code: 0, said: '' });
}

function run(work: Work) {
  const file = join(import.meta.dirname, '../setup/payments-worker.ts');
  const worker = spawn(process.execPath, ['--import', 'tsx', file], { stdio: ['pipe', 'ignore', 'pipe'] });
  const said = text(worker.stderr);
  worker.stdin.end(JSON.stringify(work));
  const ended = once(worker, 'exit').then(async ([code, signal]) => ({ code, signal, said: await said }));
  return { process: worker, ended };
}

/** What the provider sends next, kept instead of taken. */
async function notificationOf(made: Opened): Promise<Work> {
  const kept: Work[] = [];
  sandbox.takeBy(async (provider, { raw, headers }) => {
    const pairs = [...new Headers(Object.fromEntries(pairsOf(headers)))];
    kept.push({ do: 'webhook', provider, rawBase64: raw.toString('base64'), headers: pairs });
  });
  await sandbox.act(made.provider, made.reference, 'deliver');
  const [first] = kept;
  if (!first) throw new Error('Nothing was sent.');
  return first;
}
const pairsOf = (headers: Pick<Headers, 'get'>): [string, string][] =>
  headers instanceof Headers ? [...headers.entries()] : [];

describe.each(paymentProviders)('%s', (provider) => {
  const pay = ({ reference }: Opened) => sandbox.act(provider, reference, provider === 'paypal' ? 'approve' : 'pay');
  const paid = async () => {
    const made = await sandbox.open(provider, amountCents);
    expect(await pay(made)).toBe(200);
    return made;
  };
  const returnOf = ({ buyer, id }: Opened): Work => ({ do: 'return', userId: buyer.userId, ip: '', topupId: id });
  const makeDue = ({ id }: Opened) => db().update(topups).set({ nextCheckAt: sql`now()` }).where(eq(topups.id, id));

  const expectNothingYet = async (made: Opened) => {
    expect(await getWalletBalance(made.buyer.userId)).toBe(0);
    expect(await topupRow(made.id)).toMatchObject({ status: 'pending', paymentReference: null, paidAt: null });
  };
  /** Also after everybody else has told of it too. */
  const expectOneCredit = async (made: Opened) => {
    expect(await getWalletBalance(made.buyer.userId)).toBe(amountCents);
    await settleReturn(made.buyer, { topupId: made.id, reference: null });
    await sandbox.act(provider, made.reference, 'deliver');
    await sandbox.act(provider, made.reference, 'redeliver');
    await makeDue(made);
    await reconcileTopups();
    expect(await getWalletBalance(made.buyer.userId)).toBe(amountCents);
    const { rows } = await listWalletTransactions(made.buyer.userId, { limit: 10 });
    expect(rows).toMatchObject([{ type: 'credit', status: 'Completed', amountCents, topupId: made.id }]);
    const told = await db().select().from(auditLogs).where(eq(auditLogs.entityId, made.id));
    expect(told.filter(({ action }) => action === 'topup.paid')).toHaveLength(1);
    expect((await db().select().from(webhookEvents)).filter(({ processedAt }) => processedAt === null)).toEqual([]);
  };

  it('making the checkout: it is paid, and credited though we never stored it', async () => {
    const buyer = { ...(await makeUser()), ip: someAddress() };
    await killedAt('the intent', { do: 'create', userId: buyer.userId, ip: buyer.ip, provider, amountCents });
    const [topup] = await db().select().from(topups).where(eq(topups.userId, buyer.userId));
    expect(topup).toMatchObject({ status: 'created', checkoutUrl: null });
    const made: Opened = { buyer, id: topup?.id ?? '', reference: await sandbox.onlyReference(), provider };
    expect(await pay(made)).toBe(200);
    await sandbox.act(provider, made.reference, 'deliver');
    await sandbox.act(provider, made.reference, 'deliver');
    await expectOneCredit(made);
  });

  it.each<Place>(['the intent', 'the ledger'])('on the buyer’s return, at %s: the job credits it', async (place) => {
    const made = await paid();
    await killedAt(place, returnOf(made));
    await expectNothingYet(made);
    await makeDue(made);
    await done({ do: 'reconcile' });
    await expectOneCredit(made);
  });

  it.each<Place>(['the intent', 'the ledger'])('in the webhook, at %s: the next delivery credits it', async (place) => {
    const made = await paid();
    const told = await notificationOf(made);
    await killedAt(place, told);
    await expectNothingYet(made);
    expect((await db().select().from(webhookEvents)).filter(({ processedAt }) => processedAt === null)).toHaveLength(1);
    await done(told);
    await expectOneCredit(made);
  });

  it('in the job: its next turn credits it', async () => {
    const made = await paid();
    await makeDue(made);
    await killedAt('the ledger', { do: 'reconcile' });
    await expectNothingYet(made);
    await makeDue(made);
    await Promise.all([done({ do: 'reconcile' }), done({ do: 'reconcile' }), done(returnOf(made))]);
    await expectOneCredit(made);
  });

  it('while the buyer cancels what was paid: the return credits it', async () => {
    const made = await paid();
    await killedAt('the ledger', { do: 'cancel', userId: made.buyer.userId, ip: '', topupId: made.id });
    await expectNothingYet(made);
    await done(returnOf(made));
    await expectOneCredit(made);
  });
});
