import { and, eq, notInArray, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { mails } from '@/db/schema/mails';
import { payoutBatches, payouts } from '@/db/schema/payouts';
import { settlementLines } from '@/db/schema/settlement';
import { webhookEvents } from '@/db/schema/topups';
import { systemActor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { savePaymentConfig } from '@/lib/payments/config/config';
import { updateProviderConfig } from '@/lib/payments/config/update-config';
import type { PayoutEvidence } from '@/lib/payments/providers/provider';
import { bookAccountLine } from '@/lib/payments/settlement/book-account-line';
import { catchUpEvents } from '@/lib/payments/webhooks/catch-up';
import { markPayoutFailed, markPayoutPaid } from '@/lib/payouts/mark';
import { applyPayoutEvidence } from '@/lib/payouts/paypal/apply-evidence';
import { runPayoutBatches } from '@/lib/payouts/paypal/run-batches';
import { cancelUnclaimedPayout, retryPayoutBatch, sendWithPaypal } from '@/lib/payouts/paypal/staff-actions';
import { getAvailableCents } from '@/lib/payouts/request';
import { makePayout } from '@/tests/factories/make-payout';
import { makeUser } from '@/tests/factories/make-user';
import { keepSoundBooks } from '@/tests/setup/expect-sound-books';
import { withProviders } from '@/tests/setup/payment-providers';
import { batchRow, makePaypalBatch, payoutRow, runDueBatches } from '@/tests/setup/paypal-payouts';
import { returnByTwo } from '@/tests/setup/return-payout';
import { settle } from '@/tests/setup/settle';
import { ledgerBalances, settleAll } from '@/tests/setup/settlement';

const sandbox = withProviders({ storesState: true });
// Each test has a sandbox of its own, which does not know the batches of earlier ones.
beforeEach(() => db().update(payoutBatches).set({ nextActionAt: null }));
keepSoundBooks();

const conflict = { code: 'conflict' };
const usd = async (kind: 'clearing' | 'fees') => (await ledgerBalances(kind, 'paypal')).USD ?? 0;
const countLockWaits = async () =>
  (await db().execute("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
    .length;
/** A batch that PayPal accepted and leaves to the controls. @returns PayPal's ids of its payouts too */
async function sentBatch(amounts?: readonly number[]) {
  await sandbox.control('paypal', { payoutFate: 'wait' });
  const batch = await makePaypalBatch(amounts);
  expect(await runDueBatches()).toMatchObject({ sent: 1, failed: 0 });
  const references = await Promise.all(batch.ids.map((id) => sandbox.payoutReference(id)));
  return { ...batch, references: references.map((reference) => reference ?? '') };
}
const decide = async (reference: string | undefined, action: string) =>
  expect(await sandbox.act('paypal', reference ?? '', `payout-${action}`)).toBe(200);

describe('staff send payouts with PayPal', () => {
  it('in one batch, which is committed before PayPal is asked', async () => {
    const { id, ids } = await makePaypalBatch([10_000, 7_000]);
    expect(await batchRow(id)).toMatchObject({ kind: 'paypal', mode: 'sandbox', totalCents: 17_000, payoutCount: 2 });
    for (const one of ids) expect(await payoutRow(one)).toMatchObject({ state: 'sent', batchId: id });
    expect(await sandbox.payoutReference(ids[0] ?? '')).toBeUndefined();
    await runDueBatches();
    expect(await sandbox.payoutReference(ids[0] ?? '')).toBeDefined();
  });

  it('once: a payout is in one batch at most, also with requests at once', async () => {
    const { payout, staff } = await makePayout('approved', { kind: 'paypal' });
    const { values, codes } = await settle(
      Array.from({ length: 8 }, () => sendWithPaypal(staff, { ids: [payout.id, payout.id] })),
    );
    expect(values).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['conflict']));
  });

  it('only if they are approved ones to PayPal, and never their own', async () => {
    const [bank, requested] = [await makePayout('approved'), await makePayout('requested', { kind: 'paypal' })];
    for (const { payout, staff } of [bank, requested])
      await expect(sendWithPaypal(staff, { ids: [payout.id] })).rejects.toMatchObject(conflict);
    const { payout, seller } = await makePayout('approved', { kind: 'paypal' });
    await expect(sendWithPaypal(seller, { ids: [payout.id] })).rejects.toMatchObject({ code: 'forbidden' });
    expect(await payoutRow(payout.id)).toMatchObject({ state: 'approved', batchId: null });
  });
});

describe('PayPal', () => {
  it('pays: the seller is notified, and the money and the fee leave PayPal’s clearing account', async () => {
    const before = { clearing: await usd('clearing'), fees: await usd('fees') };
    const { id, ids, sellers, references } = await sentBatch([10_000]);
    await decide(references[0], 'succeed');
    await runDueBatches();
    const row = await payoutRow(ids[0] ?? '');
    expect(row).toMatchObject({ state: 'paid', providerStatus: 'SUCCESS', providerFeeCents: 100 });
    expect(row.reference).toBe(row.providerTransactionId);
    expect(await usd('clearing')).toBe(before.clearing + 10_100);
    expect(await usd('fees')).toBe(before.fees - 100);
    expect(await batchRow(id)).toMatchObject({ error: '', attempts: 0 });
    const told = await db()
      .select()
      .from(mails)
      .where(eq(mails.recipient, sellers[0]?.email ?? ''));
    expect(told.some(({ subject }) => subject === 'Your payout was sent')).toBe(true);
  });

  it.each([
    ['fail', 'failed', 'FAILED'],
    ['block', 'failed', 'BLOCKED'],
  ])('does not execute (%s): the money returns to the seller', async (action, state, status) => {
    const { ids, sellers, references } = await sentBatch();
    await decide(references[0], action);
    await runDueBatches();
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state, providerStatus: status, providerFeeCents: 0 });
    expect(await getAvailableCents(sellers[0]?.userId ?? '')).toBe(10_000);
  });

  it('holds a payout, then pays it', async () => {
    const { ids, references } = await sentBatch();
    await decide(references[0], 'hold');
    await runDueBatches();
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'sent', providerStatus: 'ONHOLD' });
    await decide(references[0], 'succeed');
    await runDueBatches();
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'paid', reason: '' });
  });

  it('returns an unclaimed payout: it is shown, and the money is in the balance again', async () => {
    const { ids, sellers, references } = await sentBatch();
    await decide(references[0], 'unclaimed');
    await runDueBatches();
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'sent', providerStatus: 'UNCLAIMED' });
    await decide(references[0], 'return');
    await runDueBatches();
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'returned', paidAt: null });
    expect(await getAvailableCents(sellers[0]?.userId ?? '')).toBe(10_000);
  });

  it('cancels an unclaimed payout for staff, and no other', async () => {
    const { ids, sellers, staff, references } = await sentBatch();
    const id = ids[0] ?? '';
    await expect(cancelUnclaimedPayout(staff, id)).rejects.toMatchObject(conflict);
    await decide(references[0], 'unclaimed');
    await runDueBatches();
    await expect(cancelUnclaimedPayout(sellers[0] ?? staff, id)).rejects.toMatchObject({ code: 'forbidden' });
    await cancelUnclaimedPayout(staff, id);
    expect(await payoutRow(id)).toMatchObject({ state: 'returned' });
    await expect(cancelUnclaimedPayout(staff, id)).rejects.toMatchObject(conflict);
    expect(await getAvailableCents(sellers[0]?.userId ?? '')).toBe(10_000);
  });

  it.each(['return', 'refund', 'reverse'])('takes a paid payout back weeks later (%s)', async (action) => {
    const { id, ids, sellers, references } = await sentBatch();
    await decide(references[0], 'succeed');
    await runDueBatches();
    await db()
      .update(payoutBatches)
      .set({ createdAt: sql`now() - interval '44 days'` })
      .where(eq(payoutBatches.id, id));
    await decide(references[0], action);
    await runDueBatches();
    const row = await payoutRow(ids[0] ?? '');
    expect(row).toMatchObject({ state: 'returned' });
    expect(row.paidAt).not.toBeNull();
    expect(await getAvailableCents(sellers[0]?.userId ?? '')).toBe(10_000);
  });

  it('denies a batch: the money of all its payouts returns', async () => {
    const { id, ids, sellers, references } = await sentBatch([10_000, 8_000]);
    await decide(references[0], 'deny');
    await runDueBatches();
    for (const one of ids) expect(await payoutRow(one)).toMatchObject({ state: 'failed' });
    expect(await getAvailableCents(sellers[1]?.userId ?? '')).toBe(8_000);
    expect((await batchRow(id)).error).toContain('denied');
  });

  it('refuses for want of money: the money of all payouts returns, and nothing is sent again', async () => {
    await sandbox.control('paypal', { payoutFunds: 'balance' });
    const { id, ids, sellers, staff } = await makePaypalBatch([10_000]);
    await runDueBatches();
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'failed' });
    expect(await getAvailableCents(sellers[0]?.userId ?? '')).toBe(10_000);
    expect(await batchRow(id)).toMatchObject({ nextActionAt: null, providerReference: null });
    await expect(retryPayoutBatch(staff, id)).rejects.toMatchObject(conflict);
    await sandbox.control('paypal', { payoutFunds: 'unlimited' });
    expect(await runDueBatches()).toMatchObject({ sent: 0 });
    expect(await sandbox.payoutReference(ids[0] ?? '')).toBeUndefined();
  });
});

describe('a payout that PayPal rejects', () => {
  const email = `${'a'.repeat(65)}@example.com`;
  const makeBatch = async (emails: readonly (string | null)[]) => {
    const made = [];
    for (const one of emails) made.push(await makePayout('approved', { kind: 'paypal', ...(one && { email: one }) }));
    const ids = made.map(({ payout }) => payout.id);
    const { id } = await sendWithPaypal(made[0]?.staff ?? (await makeUser('Admin')), { ids });
    return { id, ids, sellers: made.map(({ seller }) => seller) };
  };

  it('fails alone: its batch is sent without it, and the others are paid', async () => {
    await sandbox.control('paypal', { payoutFate: 'wait' });
    const { id, ids, sellers } = await makeBatch([null, email, null, email]);
    const states = async () => (await Promise.all(ids.map(payoutRow))).map(({ state }) => state);
    expect(await runDueBatches()).toMatchObject({ sent: 2, failed: 0 });
    expect(await states()).toEqual(['sent', 'failed', 'sent', 'failed']);
    expect(await getAvailableCents(sellers[1]?.userId ?? '')).toBe(10_000);
    expect(await getAvailableCents(sellers[0]?.userId ?? '')).toBe(0);
    expect(await batchRow(id)).toMatchObject({ revision: 1, error: '', isUncertain: false });
    for (const paid of [ids[0], ids[2]]) await decide(await sandbox.payoutReference(paid ?? ''), 'succeed');
    await runDueBatches();
    expect(await states()).toEqual(['paid', 'failed', 'paid', 'failed']);
    expect((await batchRow(id)).error).toBe('');
  });

  it('is left out of a batch whose next request gets no answer, which is then created once', async () => {
    await sandbox.control('paypal', { payoutFate: 'wait' });
    const { id, ids } = await makeBatch([email, null]);
    const refused = runPayoutBatches();
    await expect.poll(async () => (await batchRow(id)).revision).toBe(1);
    await sandbox.control('paypal', { api: 'lost' });
    await refused;
    await runDueBatches();
    await sandbox.control('paypal', { api: 'normal' });
    await runDueBatches();
    await decide(await sandbox.payoutReference(ids[1] ?? ''), 'succeed');
    await runDueBatches();
    expect(await payoutRow(ids[1] ?? '')).toMatchObject({ state: 'paid' });
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'failed' });
    expect(await batchRow(id)).toMatchObject({ revision: 1, isUncertain: false });
  });

  it('is not sent by a process that was suspended meanwhile, nor are the others of its old batch', async () => {
    await sandbox.control('paypal', { payoutFate: 'wait' });
    const { id, ids } = await makeBatch([null]);
    const { running } = await db().transaction(async (tx) => {
      await tx.execute('lock table payment_configs in access exclusive mode');
      const suspended = runPayoutBatches();
      await expect.poll(countLockWaits).toBe(1);
      // Another process took over, and ended the batch.
      await tx.update(payoutBatches).set({ nextActionAt: null }).where(eq(payoutBatches.id, id));
      return { running: suspended };
    });
    await running;
    expect(await sandbox.payoutReference(ids[0] ?? '')).toBeUndefined();
    expect(await batchRow(id)).toMatchObject({ isUncertain: false, providerReference: null });
  });

  it('ends its batch when it is alone', async () => {
    const { id, ids } = await makeBatch([email]);
    expect(await runDueBatches()).toMatchObject({ sent: 1 });
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'failed', batchId: id });
    expect(await batchRow(id)).toMatchObject({ revision: 0, nextActionAt: null });
    expect((await batchRow(id)).error).toContain('in items[0].receiver');
  });
});

describe('a request to PayPal', () => {
  it.each(['lost', 'garbage', 'error', 'down'])('%s: the batch is created once, and paid', async (api) => {
    await sandbox.control('paypal', { payoutFate: 'wait', api });
    const { id, ids } = await makePaypalBatch();
    expect(await runDueBatches()).toMatchObject({ failed: 1 });
    expect(await batchRow(id)).toMatchObject({ providerReference: null, isUncertain: true });
    await sandbox.control('paypal', { api: 'normal' });
    expect(await runDueBatches()).toMatchObject({ sent: 1 });
    expect(await batchRow(id)).toMatchObject({ error: '', isUncertain: false });
    await decide(await sandbox.payoutReference(ids[0] ?? ''), 'succeed');
    await runDueBatches();
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'paid' });
  });

  it('without an answer is never taken for refused: the earlier one may have been accepted', async () => {
    await sandbox.control('paypal', { api: 'down', payoutFunds: 'balance' });
    const { id, ids } = await makePaypalBatch();
    await runDueBatches();
    await sandbox.control('paypal', { api: 'normal' });
    expect(await runDueBatches()).toMatchObject({ failed: 1 });
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'sent' });
    expect((await batchRow(id)).error).toContain('INSUFFICIENT_FUNDS');
    await sandbox.control('paypal', { payoutFunds: 'unlimited' });
    expect(await runDueBatches()).toMatchObject({ sent: 1 });
  });

  it('that is refused fails nothing once a later one began, which PayPal accepted without an answer', async () => {
    await sandbox.control('paypal', { payoutFate: 'wait', payoutFunds: 'balance' });
    const { id, ids } = await makePaypalBatch();
    const { first, later } = await db().transaction(async (tx) => {
      await tx.select().from(payouts).where(eq(payouts.batchId, id)).for('update');
      const refused = runDueBatches();
      await expect.poll(countLockWaits).toBe(1);
      await sandbox.control('paypal', { payoutFunds: 'unlimited', api: 'lost' });
      return { first: refused, later: await runDueBatches() };
    });
    expect([await first, later]).toMatchObject([{ failed: 1 }, { failed: 1 }]);
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'sent' });
    expect(await batchRow(id)).toMatchObject({ isUncertain: true });
    await sandbox.control('paypal', { api: 'normal' });
    expect(await runDueBatches()).toMatchObject({ sent: 1 });
    await decide(await sandbox.payoutReference(ids[0] ?? ''), 'succeed');
    await runDueBatches();
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'paid' });
  });

  it('without the feature Payouts waits until it is turned on', async () => {
    await sandbox.control('paypal', { forbidden: '/v1/payments/payouts' });
    const { id, ids } = await makePaypalBatch();
    expect(await runDueBatches()).toMatchObject({ failed: 1 });
    expect(await batchRow(id)).toMatchObject({ isUncertain: false });
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'sent' });
    await sandbox.control('paypal', { forbidden: null });
    expect(await runDueBatches()).toMatchObject({ sent: 1 });
  });

  it('is not repeated by another app at PayPal, or when PayPal may have forgotten it; then staff decide', async () => {
    await sandbox.control('paypal', { api: 'down' });
    const { id, ids, staff, sellers } = await makePaypalBatch();
    await runDueBatches();
    await sandbox.control('paypal', { api: 'normal' });
    const script = systemActor('Tests', 'script');
    await savePaymentConfig(script, { provider: 'paypal', mode: 'sandbox', fields: { client_id: 'another' } });
    expect(await runDueBatches()).toMatchObject({ failed: 1 });
    await sandbox.reconfigure();
    await expect(markPayoutFailed(staff, ids[0] ?? '', { reason: 'Lost' })).rejects.toMatchObject(conflict);
    await db()
      .update(payoutBatches)
      .set({ createdAt: sql`now() - interval '21 days'` })
      .where(eq(payoutBatches.id, id));
    await runDueBatches();
    expect(await batchRow(id)).toMatchObject({ nextActionAt: null, providerReference: null });
    await expect(retryPayoutBatch(staff, id)).rejects.toMatchObject(conflict);
    await returnByTwo(staff, await makeUser('Admin'), ids[0] ?? '');
    expect(await getAvailableCents(sellers[0]?.userId ?? '')).toBe(10_000);
    expect(await runDueBatches()).toEqual({ sent: 0, read: 0, failed: 0 });
  });

  it('keeps the client ID as it is until its payouts are decided', async () => {
    const { ids, staff, references } = await sentBatch();
    const ofEarlierTests = and(eq(payouts.state, 'sent'), notInArray(payouts.id, ids));
    for (const { id } of await db().select().from(payouts).where(ofEarlierTests))
      await returnByTwo(staff, await makeUser('Admin'), id);
    const admin = await makeUser('Admin');
    const change = () => updateProviderConfig(admin, 'paypal', { client_id: 'another' });
    await expect(change()).rejects.toMatchObject({ ...conflict, message: expect.stringContaining('1 payout') });
    await updateProviderConfig(admin, 'paypal', { client_secret: 'rotated' });
    await sandbox.reconfigure();
    await decide(references[0], 'succeed');
    await runDueBatches();
    await change();
    await sandbox.reconfigure();
  });

  it('by several instances at once creates one batch, and settles it once', async () => {
    await sandbox.control('paypal', { payoutFate: 'wait' });
    const { id, ids } = await makePaypalBatch([10_000, 6_000, 5_000]);
    await Promise.all(Array.from({ length: 6 }, runDueBatches));
    for (const one of ids) await decide(await sandbox.payoutReference(one), 'succeed');
    await Promise.all(Array.from({ length: 6 }, runDueBatches));
    for (const one of ids) expect(await payoutRow(one)).toMatchObject({ state: 'paid' });
    expect(await batchRow(id)).toMatchObject({ isUncertain: false });
  });
});

describe('what PayPal reports', () => {
  it('with another amount changes nothing and is shown', async () => {
    const { id, ids, references } = await sentBatch();
    await decide(references[0], 'succeed');
    await sandbox.control('paypal', { alterAmount: 1, alterApi: true });
    await runDueBatches();
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'sent' });
    expect((await batchRow(id)).error).toContain('$0.01');
    await sandbox.control('paypal', { alterAmount: null, alterApi: false });
    await runDueBatches();
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'paid' });
  });

  it.each(['with another amount', 'not at all'])(
    '%s until the watch is over leaves the decision to staff',
    async (what) => {
      const { id, ids, sellers, staff, references } = await sentBatch([10_000, 7_000]);
      await decide(references[0], 'succeed');
      const isDown = what === 'not at all';
      const api = isDown ? 'error' : 'normal';
      await sandbox.control('paypal', { api, alterAmount: isDown ? null : 1, alterApi: !isDown });
      await runDueBatches();
      await expect(markPayoutPaid(staff, ids[0] ?? '', { reference: 'x' })).rejects.toMatchObject(conflict);
      await db()
        .update(payoutBatches)
        .set({ createdAt: sql`now() - interval '46 days'` })
        .where(eq(payoutBatches.id, id));
      await runDueBatches();
      expect(await batchRow(id)).toMatchObject({ nextActionAt: null, error: expect.stringMatching(/./) });
      await markPayoutPaid(staff, ids[0] ?? '', { reference: 'x' });
      await returnByTwo(staff, await makeUser('Admin'), ids[1] ?? '');
      expect(await getAvailableCents(sellers[1]?.userId ?? '')).toBe(7_000);
      // Staff can still ask, and an answer that fits changes nothing that was marked.
      await sandbox.control('paypal', { api: 'normal', alterAmount: null, alterApi: false });
      await retryPayoutBatch(staff, id);
      expect(await runPayoutBatches()).toMatchObject({ read: 1 });
      expect(await batchRow(id)).toMatchObject({ nextActionAt: null });
      expect([(await payoutRow(ids[0] ?? '')).state, (await payoutRow(ids[1] ?? '')).state]).toEqual([
        'paid',
        'failed',
      ]);
    },
  );

  it('as a fee in another currency, or a state that we do not know, leaves that payout open', async () => {
    const { id, ids, references } = await sentBatch();
    const [payoutId = ''] = ids;
    const evidence: PayoutEvidence = {
      reference: references[0] ?? '',
      batchReference: (await batchRow(id)).providerReference ?? '',
      payoutId,
      outcome: 'paid',
      status: 'SUCCESS',
      amountMinor: 10_000,
      currency: 'USD',
      feeCents: null,
      transactionId: null,
      reason: '',
    };
    const script = systemActor('Tests', 'script');
    await expect(applyPayoutEvidence(script, payoutId, evidence)).rejects.toMatchObject(conflict);
    await applyPayoutEvidence(script, payoutId, { ...evidence, outcome: 'open', status: 'REVIEWED' });
    expect(await payoutRow(payoutId)).toMatchObject({ state: 'sent', providerStatus: 'REVIEWED' });
  });

  it('cannot be overridden by staff', async () => {
    const { ids, staff, references } = await sentBatch();
    await expect(markPayoutPaid(staff, ids[0] ?? '', { reference: '' })).rejects.toMatchObject(conflict);
    await decide(references[0], 'succeed');
    await runDueBatches();
    await expect(markPayoutFailed(staff, ids[0] ?? '', { reason: 'x' })).rejects.toMatchObject(conflict);
  });
});

describe('an event of PayPal', () => {
  it('makes its batch due, in any order and repeatedly, and changes nothing by itself', async () => {
    const { id, ids, references } = await sentBatch();
    await decide(references[0], 'unclaimed');
    await decide(references[0], 'succeed');
    await sandbox.act('paypal', references[0] ?? '', 'deliver', { order: 'reversed' });
    await sandbox.act('paypal', references[0] ?? '', 'redeliver');
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'sent' });
    expect((await batchRow(id)).nextActionAt?.getTime()).toBeLessThanOrEqual(Date.now());
    await runPayoutBatches();
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'paid' });
    const stored = await db().select().from(webhookEvents);
    expect(stored.filter(({ type, processedAt }) => type.startsWith('PAYMENT.PAYOUTS') && !processedAt)).toEqual([]);
    await decide(references[0], 'return');
    await sandbox.act('paypal', references[0] ?? '', 'deliver');
    await runPayoutBatches();
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'returned' });
  });

  it('that is forged, or signed but invented, changes nothing', async () => {
    const { ids, references } = await sentBatch();
    await sandbox.control('paypal', { signature: 'forged' });
    await decide(references[0], 'hold');
    await sandbox.act('paypal', references[0] ?? '', 'deliver');
    await sandbox.control('paypal', { signature: 'valid' });
    const event = (id: string, itemId: string) => ({
      id,
      event_type: 'PAYMENT.PAYOUTS-ITEM.SUCCEEDED',
      resource: { payout_item_id: itemId, transaction_status: 'SUCCESS' },
    });
    expect(await sandbox.invent('paypal', event('WH-1', references[0] ?? ''))).toBe(200);
    expect(await sandbox.invent('paypal', event('WH-2', 'NOSUCHPAYOUT1'))).toBe(500);
    await runDueBatches();
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'sent', providerStatus: 'ONHOLD' });
    await db().delete(webhookEvents).where(eq(webhookEvents.eventId, 'WH-2'));
  });

  it('that never arrived is in PayPal’s list', async () => {
    const { ids, references } = await sentBatch();
    await decide(references[0], 'succeed');
    await catchUpEvents(new Date(Date.now() + 2_000));
    await runPayoutBatches();
    expect(await payoutRow(ids[0] ?? '')).toMatchObject({ state: 'paid' });
  });
});

describe('PayPal’s statement', () => {
  it('lists payouts, returns and fees that are booked already, and books none of them again', async () => {
    await sandbox.open('paypal', 5_000);
    const { ids, references } = await sentBatch([10_000, 7_000]);
    await decide(references[0], 'succeed');
    await decide(references[1], 'unclaimed');
    await runDueBatches();
    await decide(references[1], 'return');
    await runDueBatches();
    const before = { clearing: await usd('clearing'), fees: await usd('fees') };
    await settleAll();
    const rows = await db().select().from(settlementLines);
    const ours = rows.filter(({ type }) => type.startsWith('seller_payout'));
    expect(ours.map(({ type, outcome, reason }) => [type, outcome, reason]).sort()).toEqual([
      ['seller_payout', 'booked', null],
      ['seller_payout', 'booked', null],
      ['seller_payout_return', 'booked', null],
    ]);
    expect({ clearing: await usd('clearing'), fees: await usd('fees') }).toEqual(before);
    expect((await payoutRow(ids[0] ?? '')).state).toBe('paid');
  });

  it('with the fee of a batch in a line of its own (T0104) is compared with the fees of its payouts', async () => {
    await sandbox.open('paypal', 5_000);
    const { ids, references } = await sentBatch([10_000, 7_000]);
    for (const reference of references) await decide(reference, 'succeed');
    await runDueBatches();
    const paid = await db().select().from(payouts).where(eq(payouts.methodKind, 'paypal'));
    const booked = (await db().select().from(settlementLines)).filter(
      ({ type, outcome }) => type.startsWith('seller_payout') && outcome === 'booked',
    );
    const feeMinor =
      paid.reduce((sum, { providerFeeCents }) => sum + providerFeeCents, 0) -
      booked.reduce((sum, line) => sum + line.feeMinor, 0);
    expect((await payoutRow(ids[0] ?? '')).providerFeeCents).toBeGreaterThan(0);
    const before = { clearing: await usd('clearing'), fees: await usd('fees') };
    const book = async (fee: number) => {
      const id = newId();
      await db()
        .insert(settlementLines)
        .values({
          ...{
            id,
            provider: 'paypal',
            mode: 'sandbox',
            reference: id,
            type: 'seller_payout_fee',
            providerType: 'T0104',
          },
          ...{ grossMinor: 0, feeMinor: fee, netMinor: -fee, currency: 'USD', source: id, occurredAt: new Date() },
        });
      await bookAccountLine(systemActor('Tests', 'job'), id);
      const [line] = await db().select().from(settlementLines).where(eq(settlementLines.id, id));
      return line?.outcome;
    };
    expect([await book(feeMinor + 1), await book(feeMinor)]).toEqual(['open', 'booked']);
    expect(await book(1)).not.toBe('booked');
    expect({ clearing: await usd('clearing'), fees: await usd('fees') }).toEqual(before);
  });
});
