import { eq, sql } from 'drizzle-orm';
import postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { approvals } from '@/db/schema/approvals';
import { auditLogs } from '@/db/schema/audit';
import { disputes } from '@/db/schema/disputes';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import { permissions } from '@/lib/access/permissions';
import { approve as approveRequest } from '@/lib/approvals/decide';
import { getWalletBalance } from '@/lib/ledger/balance';
import { disputeView } from '@/lib/orders/disputes/contract';
import { decideDispute } from '@/lib/orders/disputes/decide';
import { openDispute, withdrawDispute } from '@/lib/orders/disputes/open';
import { acceptProposal, proposeSettlement, settleSilentDisputes } from '@/lib/orders/disputes/proposals';
import { getDispute, getReader, listDisputes } from '@/lib/orders/disputes/queries';
import { approvalExecutors } from '@/lib/workflows/approval-executors';
import { makeDispute } from '@/tests/factories/make-dispute';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';

const complaint = { reason: 'other', text: 'The anchor differs.' } as const;

async function readOrder(orderId: number) {
  const [row] = await db()
    .select({ status: orders.status, placement: placements })
    .from(orders)
    .innerJoin(placements, eq(placements.orderId, orders.id))
    .where(eq(orders.id, orderId));
  if (!row) throw new Error(`No order ${orderId}.`);
  return row;
}

async function payableCents(sellerId: string): Promise<number> {
  const [row] = await db().execute(
    sql`select balance_cents::int as cents from ledger.accounts where kind = 'seller_payable' and owner = ${sellerId}`,
  );
  return Number(row?.cents ?? 0);
}

const decision = (buyerPercent: number) => ({ buyerPercent, note: 'Both were right in part.' });

describe('opening a dispute', () => {
  it.each(['delivered', 'in_revision', 'approved'] as const)(
    'stops the clocks of a placement that is %s',
    async (state) => {
      const { orderId, id, buyer } = await makeDispute(state);
      const { status, placement } = await readOrder(orderId);
      expect(status).toBe('Processing');
      expect(placement).toMatchObject({ state: 'disputed', nextActionAt: null });
      const view = disputeView(await getDispute(id), getReader(buyer, await getDispute(id)));
      expect(view).toMatchObject({ state: 'open', openedBy: 'buyer', amountCents: 1_000, proposals: [] });
    },
  );

  it('is refused in another state, which the message names', async () => {
    const accepted = await makePlacement('accepted');
    await expect(openDispute(accepted.buyer, accepted.id, 'buyer', complaint)).rejects.toThrow(
      `Order #${accepted.id} is accepted`,
    );
    const delivered = await makePlacement('delivered');
    await expect(openDispute(delivered.seller, delivered.id, 'seller', complaint)).rejects.toThrow(
      `Order #${delivered.id} is delivered: you can dispute only a requested change.`,
    );
    const { buyer, orderId } = await makeDispute();
    await expect(openDispute(buyer, orderId, 'buyer', complaint)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('does not find the order of another user', async () => {
    const { id, buyer, seller } = await makePlacement('in_revision');
    const stranger = await makeUser('Seller');
    for (const [actor, side] of [
      [stranger, 'buyer'],
      [stranger, 'seller'],
      [seller, 'buyer'],
      [buyer, 'seller'],
    ] as const) {
      await expect(openDispute(actor, id, side, complaint)).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(openDispute(seller, id, 'seller', { ...complaint, reason: 'link_missing' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('a dispute', () => {
  it('shows the seller the own share only, and is hidden from strangers', async () => {
    const { id, buyer, seller } = await makeDispute('delivered', { sellerCents: 611, marginCents: 3_456 });
    await proposeSettlement(buyer, id, { buyerPercent: 40 });
    const seen = JSON.stringify(disputeView(await getDispute(id), getReader(seller, await getDispute(id))));
    expect(seen).toContain('"amountCents":611');
    for (const secret of ['4067', '3456', buyer.userId, buyer.email, buyer.name]) expect(seen).not.toContain(secret);
    const row = await getDispute(id);
    const stranger = await makeUser();
    expect(() => getReader(stranger, row)).toThrow('does not exist');
    for (const change of [
      () => proposeSettlement(stranger, id, { buyerPercent: 1 }),
      () => acceptProposal(stranger, id, 1),
      () => withdrawDispute(stranger, id),
    ]) {
      await expect(change()).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('is settled by a proposal that the other side accepts, and by no other', async () => {
    const { id, orderId, buyer, seller } = await makeDispute();
    await proposeSettlement(buyer, id, { buyerPercent: 100 });
    await proposeSettlement(buyer, id, { buyerPercent: 50 });
    const repeated = await proposeSettlement(buyer, id, { buyerPercent: 50 });
    expect(repeated.proposals.map(({ buyerPercent }) => buyerPercent)).toEqual([100, 50]);
    await expect(acceptProposal(buyer, id, 2)).rejects.toThrow('your own proposal');
    await expect(acceptProposal(seller, id, 1)).rejects.toThrow('replaced by a newer one');
    await expect(acceptProposal(seller, id, 3)).rejects.toMatchObject({ code: 'not_found' });
    await expect(acceptProposal(await makeUser('Admin'), id, 2)).rejects.toMatchObject({ code: 'forbidden' });
    const settled = await acceptProposal(seller, id, 2);
    expect(settled).toMatchObject({ state: 'settled', outcome: 'agreed', buyerPercent: 50, silenceDueAt: null });
    expect(settled.proposals[1]?.acceptedAt).not.toBeNull();
    expect(await readOrder(orderId)).toMatchObject({ status: 'Live', placement: { state: 'settled' } });
    expect(await getWalletBalance(buyer.userId)).toBe(500);
    expect(await payableCents(seller.userId)).toBe(300);
    await expect(proposeSettlement(buyer, id, { buyerPercent: 1 })).rejects.toThrow('is settled');
    await expectSoundBooks();
  });

  it('returns to the state before when its opener withdraws it, without gaining time', async () => {
    const { id, orderId, buyer, seller } = await makeDispute('delivered');
    const dueAt = new Date(Date.now() + 5 * 86_400_000);
    await db().update(placements).set({ approveDueAt: dueAt }).where(eq(placements.orderId, orderId));
    // Open for two days.
    await db()
      .update(disputes)
      .set({ createdAt: sql`${disputes.createdAt} - interval '2 days'` })
      .where(eq(disputes.id, id));
    await expect(withdrawDispute(seller, id)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await withdrawDispute(buyer, id)).toMatchObject({ state: 'withdrawn', outcome: 'withdrawn' });
    const { status, placement } = await readOrder(orderId);
    expect(status).toBe('Processing');
    expect(placement.state).toBe('delivered');
    const gainedMs = (placement.approveDueAt?.getTime() ?? 0) - dueAt.getTime() - 2 * 86_400_000;
    expect(gainedMs).toBeGreaterThanOrEqual(0);
    expect(gainedMs).toBeLessThan(60_000);
    expect(await openDispute(buyer, orderId, 'buyer', complaint)).toMatchObject({ state: 'open' });
  });
});

describe('a decision of staff', () => {
  const cases = [
    { state: 'delivered', percent: 0, status: 'Live', wallet: 0, payable: 67 },
    { state: 'delivered', percent: 37, status: 'Live', wallet: 38, payable: 42 },
    { state: 'delivered', percent: 100, status: 'Refunded', wallet: 100, payable: 0 },
    { state: 'approved', percent: 0, status: 'Live', wallet: 0, payable: 67 },
    { state: 'approved', percent: 37, status: 'Live', wallet: 38, payable: 42 },
    { state: 'approved', percent: 100, status: 'Live', wallet: 74, payable: 26 },
  ] as const;
  it.each(cases)(
    'of $percent % after $state divides the money',
    async ({ state, percent, status, wallet, payable }) => {
      const { id, orderId, buyer, seller } = await makeDispute(state, { sellerCents: 67, marginCents: 33 });
      const admin = await makeUser('Admin');
      const view = await decideDispute(admin, id, decision(percent));
      expect(view).toMatchObject({
        state: 'settled',
        outcome: 'decided',
        buyerPercent: percent,
        returnedCents: wallet,
      });
      expect(await readOrder(orderId)).toMatchObject({ status, placement: { state: 'settled' } });
      expect(await getWalletBalance(buyer.userId)).toBe(wallet);
      expect(await payableCents(seller.userId)).toBe(payable);
      const [line] = await db().select().from(auditLogs).where(eq(auditLogs.entityId, id));
      expect(line).toMatchObject({
        action: 'dispute.decided',
        before: { state: 'open' },
        after: { state: 'settled', buyerPercent: percent },
      });
      await expectSoundBooks();
    },
  );

  it('is refused to the buyer and the seller of the order, whatever their permissions', async () => {
    const [buyer, seller] = [await makeUser('Admin'), await makeUser('Admin')];
    const { id } = await makeDispute('delivered', { buyer, seller });
    for (const party of [buyer, seller]) {
      await expect(decideDispute(party, id, decision(100))).rejects.toMatchObject({ code: 'forbidden' });
    }
    await expect(decideDispute(await makeUser('Admin'), id, { ...decision(1), version: 9 })).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  it('above the approval limit takes effect when a second person approves it, who is not a party', async () => {
    const seller = await makeUser('Admin');
    const { id, orderId, buyer } = await makeDispute('approved', {
      sellerCents: 1_500_000,
      marginCents: 500_000,
      seller,
    });
    const [first, second] = [await makeUser('Admin'), await makeUser('Admin')];
    await expect(decideDispute(first, id, decision(60))).rejects.toThrow('requires approval by a second person');
    expect(await readOrder(orderId)).toMatchObject({ placement: { state: 'disputed' } });
    const [request] = await db()
      .select()
      .from(approvals)
      .where(eq(approvals.subject, `order:${orderId}`));
    expect(request).toMatchObject({ kind: 'dispute_decision', amountCents: 1_200_000, beneficiaryId: buyer.userId });
    const requestId = request?.id ?? '';
    for (const refused of [first, seller]) {
      await expect(approveRequest(refused, requestId, approvalExecutors)).rejects.toMatchObject({ code: 'forbidden' });
    }
    await approveRequest({ ...second, permissions }, requestId, approvalExecutors);
    expect(await readOrder(orderId)).toMatchObject({ status: 'Live', placement: { state: 'settled' } });
    expect(await getWalletBalance(buyer.userId)).toBe(1_200_000);
    expect(await getDispute(id)).toMatchObject({ outcome: 'decided', buyerPercent: 60, decidedBy: second.userId });
    await expectSoundBooks();
  });
});

it('the approval limit counts the decisions of one person in 24 hours', async () => {
  const admin = await makeUser('Admin');
  const first = await makeDispute('delivered', { sellerCents: 600_000, marginCents: 0 });
  await decideDispute(admin, first.id, decision(100));
  const second = await makeDispute('delivered', { sellerCents: 600_000, marginCents: 0, buyer: first.buyer });
  await expect(decideDispute(admin, second.id, decision(100))).rejects.toThrow('requires approval by a second person');
});

describe('silence', () => {
  const past = sql`now() - interval '1 second'`;
  const expire = (id: string) =>
    db().update(disputes).set({ silenceDueAt: past, nextActionAt: past }).where(eq(disputes.id, id));

  it('of the other side accepts the newest proposal, once', async () => {
    const { id, orderId, buyer, seller } = await makeDispute();
    await proposeSettlement(buyer, id, { buyerPercent: 80 });
    await proposeSettlement(seller, id, { buyerPercent: 20 });
    expect(await settleSilentDisputes()).toEqual({ settled: 0, failed: 0 });
    await expire(id);
    const runs = await Promise.all([settleSilentDisputes(), settleSilentDisputes(), settleSilentDisputes()]);
    expect(runs.reduce((sum, { settled }) => sum + settled, 0)).toBe(1);
    expect(runs.every(({ failed }) => failed === 0)).toBe(true);
    expect(await getDispute(id)).toMatchObject({ outcome: 'silence', buyerPercent: 20, decidedBy: null });
    expect(await readOrder(orderId)).toMatchObject({ status: 'Live' });
    expect(await getWalletBalance(buyer.userId)).toBe(200);
    await expectSoundBooks();
  });

  it('continues after a dispute that fails, and tries it again later', async () => {
    const [broken, sound] = [await makeDispute(), await makeDispute()];
    for (const { id, buyer } of [broken, sound]) {
      await proposeSettlement(buyer, id, { buyerPercent: 50 });
      await expire(id);
    }
    const { silenceDueAt } = await getDispute(broken.id);
    const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1 });
    const refusal = 'alter table placement_events add constraint refused check (order_id <> $1) not valid';
    await owner.unsafe(refusal.replace('$1', String(broken.orderId)));
    const secondsToNext = async () => {
      const { nextActionAt } = await getDispute(broken.id);
      return ((nextActionAt?.getTime() ?? 0) - Date.now()) / 1_000;
    };
    try {
      expect(await settleSilentDisputes()).toEqual({ settled: 1, failed: 1 });
      expect(await getDispute(sound.id)).toMatchObject({ outcome: 'silence' });
      expect(await getDispute(broken.id)).toMatchObject({ state: 'open', clockRetries: 1, silenceDueAt });
      expect(await secondsToNext()).toBeGreaterThan(50);
      expect(await settleSilentDisputes()).toEqual({ settled: 0, failed: 0 });
      await expire(broken.id);
      expect(await settleSilentDisputes()).toEqual({ settled: 0, failed: 1 });
      expect(await secondsToNext()).toBeGreaterThan(110);
    } finally {
      await owner`alter table placement_events drop constraint refused`;
      await owner.end();
    }
    await expire(broken.id);
    expect(await settleSilentDisputes()).toEqual({ settled: 1, failed: 0 });
    expect(await getDispute(broken.id)).toMatchObject({ outcome: 'silence', nextActionAt: null });
    await expectSoundBooks();
  });

  it('does not settle a withdrawn dispute', async () => {
    const { id, buyer, seller } = await makeDispute();
    await proposeSettlement(seller, id, { buyerPercent: 20 });
    await withdrawDispute(buyer, id);
    expect(await settleSilentDisputes()).toEqual({ settled: 0, failed: 0 });
  });
});

describe('the list of disputes', () => {
  it('has the open ones first, by age and by amount, and every page in both directions', async () => {
    const amounts = [500, 900, 700, 300, 800, 600];
    const made = [];
    for (const sellerCents of amounts) made.push(await makeDispute('delivered', { sellerCents, marginCents: 0 }));
    const admin = await makeUser('Admin');
    for (const { id } of [made[1], made[4]].flatMap((one) => (one ? [one] : []))) {
      await decideDispute(admin, id, decision(0));
    }
    const ours = new Set(made.map(({ id }) => id));
    const read = async (sort: 'age' | 'amount', state?: 'open' | 'ended') => {
      const forward: number[] = [];
      let cursor: string | null = '';
      let last: string | null = null;
      const parse = (text: string | null) => (text ? { toward: 'next' as const, id: text.slice(5) } : undefined);
      while (cursor !== null) {
        const page = await listDisputes({ sort, state, limit: 2, offset: 0, cursor: parse(cursor) });
        forward.push(...page.rows.filter(({ id }) => ours.has(id)).map(({ amountCents }) => amountCents));
        last = page.previous ?? last;
        cursor = page.next;
      }
      const backward: number[] = [];
      let page = await listDisputes({ sort, state, limit: 4, offset: 0, cursor: { toward: 'last' } });
      for (;;) {
        backward.unshift(...page.rows.filter(({ id }) => ours.has(id)).map(({ amountCents }) => amountCents));
        if (page.previous === null) break;
        const id = page.previous.slice('previous.'.length);
        page = await listDisputes({ sort, state, limit: 4, offset: 0, cursor: { toward: 'previous', id } });
      }
      expect(backward).toEqual(forward);
      return forward;
    };
    expect(await read('age')).toEqual([500, 700, 300, 600, 800, 900]);
    expect(await read('amount')).toEqual([700, 600, 500, 300, 900, 800]);
    expect(await read('amount', 'ended')).toEqual([900, 800]);
    expect(await read('age', 'open')).toEqual([500, 700, 300, 600]);
    const { rows } = await listDisputes({ sort: 'age', limit: 9, offset: 0, q: `#${made[2]?.orderId}` });
    expect(rows.map(({ id }) => id)).toEqual([made[2]?.id]);
  });
});
