import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { eq, sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { payoutBatches } from '@/db/schema/payouts';
import { settlementLines, settlementPositions } from '@/db/schema/settlement';
import { sourceRefunds } from '@/db/schema/source-refunds';
import {
  type PaymentProviderName,
  paymentProviders,
  paymentReversals,
  topups,
  webhookEvents,
} from '@/db/schema/topups';
import { getWalletBalance } from '@/lib/ledger/balance';
import { sendRefunds } from '@/lib/payments/reversals/source-refunds/send';
import { settleReturn } from '@/lib/payments/top-ups/checkout';
import { reconcileTopups } from '@/lib/payments/top-ups/reconcile';
import { listWalletTransactions } from '@/lib/wallet/queries';
import { rotatingThird } from '@/scripts/testing/tier';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks, keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { forkWorker } from '@/tests/setup/fork-worker';
import { type Opened, someAddress, topupRow, withProviders } from '@/tests/setup/payment-providers';
import type { Work } from '@/tests/setup/payments-worker';
import { batchRow, makePaypalBatch, payoutRow } from '@/tests/setup/paypal-payouts';
import { ledgerBalances, makeOlder, makeSettlementDue, settleAll } from '@/tests/setup/settlement';

// The app runs in a process of its own. PostgreSQL blocks a statement after the provider's response, and the process
// gets SIGKILL there, between the response and the commit. Then the app starts again.

const sandbox = withProviders();
keepSoundBooks();

const amountCents = 4_200;
const gateKey = 4_711;
const gate = { sql: postgres('postgres://nowhere') };

beforeAll(async () => {
  gate.sql = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 2, onnotice: () => undefined });
  await gate.sql.unsafe(`
    create function public.wait_at_the_gate() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${gateKey}); return new; end $$;
    grant execute on function public.wait_at_the_gate() to public;`);
});
afterAll(() => gate.sql.end());

/** The blocked statement: its kind, table and rows. */
const places = {
  'the intent': ['update', 'public.topups', 'true'],
  'the ledger': ['insert', 'ledger.transfers', 'true'],
  'the request of a refund': ['insert', 'public.source_refunds', 'true'],
  'the money of a refund': ['insert', 'ledger.transfers', `new.kind = 'source_refund'`],
  'the refund of the provider': ['insert', 'public.payment_reversals', 'true'],
  'the booking of a refund': ['insert', 'ledger.transfers', `new.kind = 'provider_refund'`],
  'the result of a refund': ['update', 'public.source_refunds', `new.state = 'succeeded'`],
  'the return of a refund': ['insert', 'ledger.transfers', `new.kind = 'source_refund_return'`],
  'the lines of the statement': ['insert', 'public.settlement_lines', 'true'],
  'the top-up of a line': ['update', 'public.settlement_lines', 'old.topup_id is distinct from new.topup_id'],
  'a payment of the statement': ['update', 'public.settlement_lines', `new.type = 'charge' and new.outcome = 'booked'`],
  'a payout of the statement': ['update', 'public.settlement_lines', `new.type = 'payout' and new.outcome = 'booked'`],
  'the batch of payouts, before its request': [
    'update',
    'public.payout_batches',
    'new.is_uncertain and not old.is_uncertain',
  ],
  'the batch of payouts, after its answer': [
    'update',
    'public.payout_batches',
    'old.provider_reference is distinct from new.provider_reference',
  ],
  'a payout': ['update', 'public.payouts', 'old.state is distinct from new.state'],
  'the end of a refused batch': ['update', 'public.payout_batches', 'new.next_action_at is null'],
  'the position in the ledger': [
    'update',
    'public.settlement_positions',
    'old.ledger_seen_at is distinct from new.ledger_seen_at',
  ],
} as const;
type Place = keyof typeof places;

/** Runs the work until PostgreSQL blocks it, and kills it there; its open transaction is rolled back. */
async function killedAt(place: Place, work: Work): Promise<void> {
  const holder = await gate.sql.reserve();
  const [event, table, rows] = places[place];
  await gate.sql.unsafe(
    `create trigger a_gate before ${event} on ${table} for each row when (${rows}) execute function wait_at_the_gate()`,
  );
  await holder`select pg_advisory_lock(${gateKey})`;
  const { process: worker, ended } = takeWorker();
  worker.send(work);
  try {
    const waiting = gate.sql`
      datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;
    const held = () => gate.sql`select pid from pg_stat_activity where ${waiting}`;
    await Promise.race([expect.poll(held).toHaveLength(1), ended.then(({ said }) => Promise.reject(new Error(said)))]);
    worker.kill('SIGKILL');
    expect((await ended).signal).toBe('SIGKILL');
    // PostgreSQL would notice the kill only after the current statement, and commit one that is a transaction of its
    // own.
    await gate.sql`select pg_terminate_backend(pid) from pg_stat_activity where ${waiting}`;
    await expect.poll(held).toHaveLength(0);
  } finally {
    await holder`select pg_advisory_unlock(${gateKey})`;
    holder.release();
    await gate.sql.unsafe(`drop trigger a_gate on ${table}`);
  }
}

/** Runs the same work to its end. */
async function done(work: Work): Promise<void> {
  const worker = takeWorker();
  worker.process.send(work);
  const answer = once(worker.process, 'message').then(([message]: unknown[]) => message);
  expect(await Promise.race([answer, worker.ended])).toBe('done');
  idle.push(worker);
}

type Worker = ReturnType<typeof startWorker>;
/** Processes that wait for work. A process takes seconds to start, so the next one starts while one works. */
const idle: Worker[] = [];

afterAll(async () => {
  for (const worker of idle) {
    worker.process.disconnect();
    expect(await worker.ended).toMatchObject({ code: 0, said: '' });
  }
});

function takeWorker(): Worker {
  const worker = idle.pop() ?? startWorker();
  if (idle.length === 0) idle.push(startWorker());
  return worker;
}

function startWorker() {
  const worker = forkWorker('payments-worker', { stderr: 'pipe' });
  if (!worker.stderr) throw new Error('The process has no stderr.');
  const said = text(worker.stderr);
  const ended = once(worker, 'exit').then(async ([code, signal]) => ({ code, signal, said: await said }));
  return { process: worker, ended };
}

/** The provider's next notification, recorded instead of delivered. */
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

/** In the order in which the job processes them. */
const settlementSteps: readonly Place[] = [
  'the lines of the statement',
  'the top-up of a line',
  'a payment of the statement',
  'a payout of the statement',
  'the position in the ledger',
];
const linesOf = (provider: PaymentProviderName) =>
  db().select().from(settlementLines).where(eq(settlementLines.provider, provider)).orderBy(settlementLines.id);

// The kills are the same for all providers, and each starts a process.
describe.each(rotatingThird(paymentProviders))('%s', (provider) => {
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
  /** Also after every other notification. */
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

  it('creating the checkout: its payment is credited although the checkout was not stored', async () => {
    const buyer = { ...(await makeUser()), ip: someAddress() };
    await killedAt('the intent', { do: 'create', userId: buyer.userId, ip: buyer.ip, provider, amountCents });
    const [topup] = await db().select().from(topups).where(eq(topups.accountId, buyer.userId));
    expect(topup).toMatchObject({ status: 'created', checkoutUrl: null });
    const made: Opened = { buyer, id: topup?.id ?? '', reference: await sandbox.onlyReference(), provider };
    expect(await pay(made)).toBe(200);
    await sandbox.act(provider, made.reference, 'deliver');
    await sandbox.act(provider, made.reference, 'deliver');
    await expectOneCredit(made);
  });

  it.each<Place>(['the intent', 'the ledger'])("on the buyer's return, at %s: the job credits it", async (place) => {
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

  it('in the job: its next run credits it', async () => {
    const made = await paid();
    await makeDue(made);
    await killedAt('the ledger', { do: 'reconcile' });
    await expectNothingYet(made);
    await makeDue(made);
    await Promise.all([done({ do: 'reconcile' }), done({ do: 'reconcile' }), done(returnOf(made))]);
    await expectOneCredit(made);
  });

  describe('a refund to the payment method', { timeout: 180_000 }, () => {
    const refundCents = 1_500;
    const refunded = async (made: Opened) => {
      const [row, ...others] = await db().select().from(sourceRefunds).where(eq(sourceRefunds.topupId, made.id));
      expect(others).toEqual([]);
      return row;
    };
    const makeRefundsDue = () =>
      db().update(sourceRefunds).set({ nextActionAt: sql`now()` }).where(sql`next_action_at is not null`);
    const credited = async () => {
      const made = await paid();
      await settleReturn(made.buyer, { topupId: made.id, reference: null });
      const staff = await makeStaff('ManageWallets');
      const work: Work = { do: 'refund', staffId: staff.userId, topupId: made.id, amountCents: refundCents };
      return { made, work };
    };
    /** Also after every notification and another run. */
    const expectRefundedOnce = async (made: Opened) => {
      await makeRefundsDue();
      await done({ do: 'send-refunds' });
      expect(await refunded(made)).toMatchObject({ state: 'succeeded', money: 'sent' });
      await sandbox.act(provider, made.reference, 'deliver');
      await sandbox.act(provider, made.reference, 'redeliver');
      await makeRefundsDue();
      await sendRefunds();
      expect(await getWalletBalance(made.buyer.userId)).toBe(amountCents - refundCents);
      const reversals = await db().select().from(paymentReversals).where(eq(paymentReversals.topupId, made.id));
      expect(reversals).toMatchObject([{ money: 'taken', amountCents: refundCents }]);
      expect(await sandbox.look(provider, made.reference)).toMatchObject({
        amount_refunded: reversals[0]?.amountMinor,
      });
    };

    it.each<Place>(['the request of a refund', 'the money of a refund'])(
      'before its intent is committed, at %s: nothing happened, and the same key makes it',
      async (place) => {
        const { made, work } = await credited();
        await killedAt(place, work);
        expect(await refunded(made)).toBeUndefined();
        expect(await getWalletBalance(made.buyer.userId)).toBe(amountCents);
        await done(work);
        await expectRefundedOnce(made);
      },
    );

    it.each<Place>(['the refund of the provider', 'the booking of a refund', 'the result of a refund'])(
      'between the provider’s response and the commit, at %s: it is found, and not made again',
      async (place) => {
        const { made, work } = await credited();
        await killedAt(place, work);
        expect(await refunded(made)).toMatchObject({ state: 'processing', money: 'held', providerReference: null });
        expect(await getWalletBalance(made.buyer.userId)).toBe(amountCents - refundCents);
        await done(work);
        await expectRefundedOnce(made);
      },
    );

    it('in the job, and in the webhook: the next attempt settles it', async () => {
      const { made, work } = await credited();
      // The next notification is the refund's.
      await sandbox.act(provider, made.reference, 'deliver');
      await sandbox.control(provider, { api: 'lost' });
      await done(work);
      await sandbox.control(provider, { api: 'normal' });
      await makeRefundsDue();
      await killedAt('the booking of a refund', { do: 'send-refunds' });
      const told = await notificationOf(made);
      await killedAt('the booking of a refund', told);
      expect(await refunded(made)).toMatchObject({ state: 'processing', money: 'held' });
      await done(told);
      await expectRefundedOnce(made);
    });

    it('while the money of a refused refund returns: it returns once', async () => {
      const { made, work } = await credited();
      await sandbox.control(provider, { refundFate: 'refused' });
      await killedAt('the return of a refund', work);
      expect(await getWalletBalance(made.buyer.userId)).toBe(amountCents - refundCents);
      await makeRefundsDue();
      await Promise.all([done({ do: 'send-refunds' }), done({ do: 'send-refunds' })]);
      expect(await refunded(made)).toMatchObject({ state: 'failed', money: 'returned' });
      expect(await getWalletBalance(made.buyer.userId)).toBe(amountCents);
      await sandbox.control(provider, { refundFate: 'succeeded' });
    });
  });

  it('in the settlement, after each step: every line is booked once', async () => {
    const totals = async () => ({
      clearing: await ledgerBalances('clearing', provider),
      bank: await ledgerBalances('bank', provider),
      fees: await ledgerBalances('fees', provider),
    });
    const known = (await linesOf(provider)).length;
    const before = await totals();
    const made = await paid();
    await settleReturn(made.buyer, { topupId: made.id, reference: null });
    // WeChat Pay writes the bill of a day on the next one.
    if (provider === 'wechat') {
      await makeOlder(made.id);
      // Reads a day at a time: up to yesterday there are no lines.
      await settleAll();
      await db().update(settlementPositions).set({ ledgerSeenAt: sql`started_at` });
      await sandbox.act(provider, made.reference, 'backdate', { days: 3 });
    }
    expect(await sandbox.moveAccount(provider, 'pay-out', { daysAgo: provider === 'wechat' ? 3 : 0 })).toBe(200);

    for (const place of settlementSteps) {
      await makeSettlementDue();
      await killedAt(place, { do: 'settle' });
      await expectSoundBooks();
      // Three minutes later.
      await db().update(settlementPositions).set({ leaseUntil: null });
    }
    await settleAll();

    const lines = (await linesOf(provider)).slice(known);
    expect(lines.map(({ outcome }) => outcome)).toEqual(lines.map(() => 'booked'));
    const sum = (pick: (line: (typeof lines)[number]) => number) =>
      lines.reduce((total, line) => total + pick(line), 0);
    const currency = provider === 'wechat' ? 'CNY' : 'USD';
    // Money comes from these accounts, so their balances are negative (docs/internals/ledger.md).
    const less = (sums: Record<string, number>, minor: number) => ({
      ...sums,
      [currency]: (sums[currency] ?? 0) - minor,
    });
    const paidOut = sum(({ type, netMinor }) => (type === 'payout' ? -netMinor : 0));
    expect(paidOut).toBeGreaterThan(0);
    expect(await totals()).toEqual({
      clearing: before.clearing,
      bank: less(before.bank, paidOut),
      fees: less(
        before.fees,
        sum(({ feeMinor }) => feeMinor),
      ),
    });
    // Six processes, one after the other.
  }, 180_000);

  it('while the buyer cancels a paid checkout: the return credits it', async () => {
    const made = await paid();
    await killedAt('the ledger', { do: 'cancel', userId: made.buyer.userId, ip: '', topupId: made.id });
    await expectNothingYet(made);
    await done(returnOf(made));
    await expectOneCredit(made);
  });
});

describe('payouts by PayPal', () => {
  // Each test has a sandbox of its own, which does not know the batches of earlier ones.
  beforeEach(() => db().update(payoutBatches).set({ nextActionAt: null }));
  const makeDue = () =>
    db().update(payoutBatches).set({ nextActionAt: sql`now()` }).where(sql`next_action_at is not null`);
  const killedInJob = async (place: Place) => {
    await makeDue();
    await killedAt(place, { do: 'payouts' });
    await expectSoundBooks();
  };

  it.each<Place>(['the batch of payouts, before its request', 'the batch of payouts, after its answer'])(
    'at %s: the batch is created once',
    async (place) => {
      await sandbox.control('paypal', { payoutFate: 'wait' });
      const { id, ids } = await makePaypalBatch([10_000, 7_000]);
      await killedInJob(place);
      expect(await batchRow(id)).toMatchObject({ providerReference: null });
      const earlier = await sandbox.payoutReference(ids[0] ?? '');
      await makeDue();
      await done({ do: 'payouts' });
      const reference = await sandbox.payoutReference(ids[0] ?? '');
      expect(reference).toBeDefined();
      if (place === 'the batch of payouts, after its answer') expect(reference).toBe(earlier);
      expect(await batchRow(id)).toMatchObject({ isUncertain: false, error: '' });
    },
  );

  it.each<Place>(['a payout', 'the ledger'])('at %s: each payout is paid once', async (place) => {
    await sandbox.control('paypal', { payoutFate: 'wait' });
    const { ids } = await makePaypalBatch([10_000, 7_000]);
    await done({ do: 'payouts' });
    for (const id of ids) await sandbox.act('paypal', (await sandbox.payoutReference(id)) ?? '', 'payout-succeed');
    await killedInJob(place);
    for (const id of ids) expect(await payoutRow(id)).toMatchObject({ state: 'sent' });
    await makeDue();
    await Promise.all([done({ do: 'payouts' }), done({ do: 'payouts' })]);
    for (const id of ids) expect(await payoutRow(id)).toMatchObject({ state: 'paid' });
  });

  it.each<Place>(['the end of a refused batch', 'the ledger'])(
    'at %s: all payouts of a refused batch fail, or none',
    async (place) => {
      await sandbox.control('paypal', { payoutFunds: 'balance' });
      const { id, ids } = await makePaypalBatch([10_000, 7_000]);
      await killedInJob(place);
      for (const one of ids) expect(await payoutRow(one)).toMatchObject({ state: 'sent' });
      // The refusal was lost, so the batch is only sent again.
      expect(await batchRow(id)).toMatchObject({ isUncertain: true, providerReference: null });
      await sandbox.control('paypal', { payoutFunds: 'unlimited' });
      await makeDue();
      await done({ do: 'payouts' });
      expect(await batchRow(id)).toMatchObject({ isUncertain: false });
    },
  );
});
