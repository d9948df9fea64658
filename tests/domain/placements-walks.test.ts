import { and, asc, eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { disputeProposals, disputes } from '@/db/schema/disputes';
import { linkVerdicts, linkWatches } from '@/db/schema/links';
import { isOpenChange, orderChanges } from '@/db/schema/order-changes';
import { type OrderStatus, orderStatuses, orders } from '@/db/schema/orders';
import { type PlacementState, placements } from '@/db/schema/placements';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { getWalletBalance } from '@/lib/ledger/balance';
import { decideDispute } from '@/lib/orders/disputes/decide';
import { openDispute, withdrawDispute } from '@/lib/orders/disputes/open';
import { acceptProposal, proposeSettlement, settleSilentDisputes } from '@/lib/orders/disputes/proposals';
import { extendAsBuyer } from '@/lib/orders/order/authorize';
import { createOrder } from '@/lib/orders/order/create';
import { deleteOrder } from '@/lib/orders/order/delete';
import { updateOrder } from '@/lib/orders/order/update';
import { runChangeClocks } from '@/lib/orders/placements/changes/run-clocks';
import { runPlacementClocks } from '@/lib/orders/placements/run-clocks';
import { saveOptionsBody } from '@/lib/sites/options/contract';
import { saveOptions } from '@/lib/sites/options/save';
import { propertyRuns } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeOffer } from '@/tests/factories/make-offer';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeUser } from '@/tests/factories/make-user';
import { makeBillingProfile, turnTaxOff, turnTaxOn } from '@/tests/factories/turn-tax-on';
import * as changes from '@/tests/setup/change-verbs';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';
import { checkLink, passLinkTime } from '@/tests/setup/link-checks';
import * as verbs from '@/tests/setup/placement-verbs';
import { settle } from '@/tests/setup/settle';

const fundedCents = 20_000;
/** The options of both sites of the seller. */
const offered = saveOptionsBody.parse({
  options: [
    { kind: 'guarantee', days: 91, surchargePercent: 33 },
    { kind: 'guarantee', days: 120, surchargeCents: 55 },
    { kind: 'topic', topic: 'casino', surchargeCents: 77 },
    { kind: 'writing', surchargeCents: 31 },
  ],
});
const hour = 3_600_000;

/** Turns tax on at a rate in hundredths of a percent, or off. */
const setTax = (rate: number) =>
  rate === 0 ? turnTaxOff() : turnTaxOn({ rates: [{ country: 'PL', from: '2020-01-01', rate }] });
/** Rates that divide odd prices badly, and none. */
const rates = [0, 2_300, 1_900, 2_550, 1, 333, 10_000];

async function scene() {
  const [buyer, seller, admin] = await Promise.all([makeUser(), makeUser('Seller'), makeUser('Admin')]);
  await fundWallet(buyer.userId, fundedCents);
  await makeBillingProfile(buyer.userId);
  const values = { isFulfilledByStaff: false };
  const siteIds = [
    await makeSite(seller.userId, 1_001, { ...values, sellerPriceCents: 334 }),
    // No margin.
    await makeSite(seller.userId, 777, { ...values, sellerPriceCents: 777 }),
    // Fulfilled by staff.
    await makeSite(seller.userId, 555),
  ];
  const options = [];
  for (const siteId of siteIds.slice(0, 2)) options.push(...(await saveOptions(seller, siteId, offered)).options);
  return { buyer, seller, admin, siteIds, options, projectId: await makeProject(buyer) };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const ordersOf = ({ buyer }: Scene) =>
  db()
    .select({ order: orders, placement: placements })
    .from(orders)
    .leftJoin(placements, eq(placements.orderId, orders.id))
    .where(eq(orders.accountId, buyer.userId))
    .orderBy(asc(orders.id));

/** The open dispute of an order, or one that does not exist. */
async function disputeOf(orderId: number) {
  const [open] = await db()
    .select()
    .from(disputes)
    .where(and(eq(disputes.orderId, orderId), eq(disputes.state, 'open')));
  const proposals = open
    ? await db().select().from(disputeProposals).where(eq(disputeProposals.disputeId, open.id))
    : [];
  return { id: open?.id ?? newId(), proposals: proposals.length };
}

type Answer = (placed: { id: number; buyer: Actor; seller: Actor }) => Promise<unknown>;

/** What the two sides do with a paid change, by its state. */
const changeAnswers: Record<string, Answer[]> = {
  none: [(placed) => changes.ask(placed)],
  asked: [
    ...[changes.acceptAsked, changes.acceptAsked, changes.acceptAsked, changes.declineAsked, changes.withdraw],
    (placed) => changes.reprice(placed, 123),
  ],
  priced: [changes.agree, changes.agree, changes.withdraw, changes.acceptAsked],
  accepted: [
    (placed) => changes.deliverAsked(placed),
    (placed) => changes.deliverAsked(placed, 'changed', 'As agreed'),
    ...[changes.declineAsked, changes.withdraw],
  ],
  delivered: [changes.approveAsked, changes.approveAsked, changes.withdraw, changes.declineAsked],
};

/** Each action on the nth order. */
const actions = {
  accept: verbs.accept,
  decline: verbs.decline,
  deliver: (placed) => verbs.deliver(placed),
  'ask for days': (placed) => verbs.askForDays(placed),
  release: verbs.release,
  extend: ({ buyer, id, options }, number) => {
    const guarantees = options.filter(({ kind }) => kind === 'guarantee');
    return extendAsBuyer(buyer, id, { optionId: guarantees[number % guarantees.length]?.id ?? '' });
  },
  'grant days': (placed) => verbs.answerDays(placed, true),
  'refuse days': (placed) => verbs.answerDays(placed, false),
  approve: (placed) => verbs.approve(placed),
  revise: verbs.revise,
  cancel: verbs.cancel,
  dispute: ({ buyer, id }) => openDispute(buyer, id, 'buyer', { reason: 'other', text: 'It differs.' }),
  'dispute a change': ({ seller, id }) => openDispute(seller, id, 'seller', { reason: 'other', text: 'Unfair.' }),
  propose: async ({ buyer, seller, id }, number) =>
    proposeSettlement(number % 2 === 0 ? buyer : seller, (await disputeOf(id)).id, { buyerPercent: number }),
  'accept a proposal': async ({ buyer, seller, id }, number) => {
    const open = await disputeOf(id);
    return acceptProposal(number % 2 === 0 ? buyer : seller, open.id, open.proposals);
  },
  withdraw: async ({ buyer, seller, id }, number) =>
    withdrawDispute(number % 4 === 0 ? seller : buyer, (await disputeOf(id)).id),
  decide: async ({ admin, id }, number) =>
    decideDispute(admin, (await disputeOf(id)).id, { buyerPercent: number, note: 'Decided.' }),
  'take over': ({ admin, id }) => verbs.actByStaff(admin, id, { action: 'takeOver' }),
  desk: ({ admin, id }, number) => {
    const status = orderStatuses[number % orderStatuses.length] satisfies OrderStatus | undefined;
    const linkUrl = number % 2 === 0 ? `https://elsewhere.example/${number}` : undefined;
    // The reason of a delivery of which the check cannot tell.
    const adminComments = linkUrl && `Published as page ${number}.`;
    return updateOrder(admin, id, { status, linkUrl, adminComments, isRejection: number % 5 === 0 });
  },
  check: async ({ id }, number) => {
    const [watch] = await db().select().from(linkWatches).where(eq(linkWatches.orderId, id));
    const verdict = linkVerdicts[number % linkVerdicts.length];
    // Of an open change, the page has the new link as well, or instead.
    return watch && verdict && checkLink(id, verdict, linkVerdicts[(number >> 2) % linkVerdicts.length]);
  },
  change: async (placed, number) => {
    const [open] = await db()
      .select()
      .from(orderChanges)
      .where(and(eq(orderChanges.orderId, placed.id), isOpenChange));
    const answers = changeAnswers[open?.state ?? 'none'];
    return answers?.[number % answers.length]?.(placed);
  },
  delete: ({ admin, id }) => deleteOrder(admin, id),
  'change the tax': (_placed, number) => setTax(rates[number % rates.length] ?? 0),
  'pass time': async ({ id }, number) => {
    await passLinkTime(id, number * 6 * hour);
    await db()
      .update(disputes)
      .set({
        silenceDueAt: sql`${disputes.silenceDueAt} - make_interval(hours => ${number * 6})`,
        nextActionAt: sql`${disputes.nextActionAt} - make_interval(hours => ${number * 6})`,
      })
      .where(and(eq(disputes.orderId, id), eq(disputes.state, 'open')));
    await changes.passChangeTime(id, number * 6 * hour);
    return Promise.all([runPlacementClocks(), settleSilentDisputes(), runChangeClocks()]);
  },
} satisfies Record<string, (placed: Scene & { id: number }, number: number) => Promise<unknown>>;
type Action = keyof typeof actions;

/** Actions that lead on from a state, so that walks reach every state. */
const likely: Partial<Record<PlacementState, Action[]>> = {
  offered: ['accept', 'accept', 'accept', 'accept', 'accept', 'accept', 'accept', 'decline', 'cancel', 'pass time'],
  accepted: ['deliver', 'deliver', 'deliver', 'deliver', 'ask for days', 'grant days', 'release', 'cancel'],
  delivered: ['revise', 'revise', 'approve', 'dispute', 'dispute', 'dispute', 'check', 'pass time'],
  in_revision: ['deliver', 'deliver', 'deliver', 'dispute', 'dispute a change', 'refuse days', 'pass time'],
  disputed: ['propose', 'propose', 'accept a proposal', 'accept a proposal', 'withdraw', 'decide', 'pass time'],
  approved: [
    'extend',
    'extend',
    'dispute',
    'check',
    'check',
    'pass time',
    'desk',
    'change',
    'change',
    'change',
    'change',
  ],
  closed: ['change', 'change', 'change', 'check', 'desk'],
};

type Step = { action: Action | 'order' | 'likely'; nth: number; number: number };
const names: Step['action'][] = ['order', ...(Object.keys(actions) as Action[])];
const step: fc.Arbitrary<Step> = fc.record({
  action: fc.oneof(
    { weight: 7, arbitrary: fc.constant('likely' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...names) },
  ),
  // The two orders that a seller fulfills; now and then, the third.
  nth: fc.constantFrom(0, 0, 0, 1, 1, 1, 2),
  number: fc.constantFrom(...Array.from({ length: 101 }, (_, number) => number)),
});

const rate = fc.constantFrom(...rates);

async function run(where: Scene, { action, nth, number }: Step): Promise<unknown> {
  const { buyer, projectId, siteIds, options } = where;
  if (action === 'order') {
    const ordered = siteIds.slice(0, 1 + (number % 3));
    // One guarantee of each site, and any of the others. A single site has the first half.
    const ids = options
      .slice(0, ordered.length > 1 ? options.length : offered.options.length)
      .filter(({ kind, days }, index) =>
        kind === 'guarantee' ? (days === 91) === (number % 2 === 0) : (number >> (index % 4)) % 2 === 0,
      )
      .map(({ id }) => id);
    return createOrder(buyer, { kind: 'custom', projectId, siteIds: ordered, brief: { words: 640, options: ids } });
  }
  const placed = (await ordersOf(where))[nth];
  const choices = likely[placed?.placement?.state ?? 'closed'] ?? ['desk'];
  const chosen = action === 'likely' ? (choices[number % choices.length] ?? 'desk') : action;
  return actions[chosen]({ ...where, id: placed?.order.id ?? 0 }, number);
}

/** Forbidden: the other side withdraws a dispute. Not in order: staff repeat a comment, which is no reason. */
const refusals = ['insufficient_funds', 'conflict', 'not_found', 'forbidden', 'link_not_in_order'];

async function runOrRefuse(where: Scene, taken: Step): Promise<void> {
  await run(where, taken).catch((thrown: unknown) => {
    if (!(thrown instanceof AppError) || !refusals.includes(thrown.code)) throw thrown;
  });
}

type Placed = Awaited<ReturnType<typeof ordersOf>>[number];

/** What is reserved for the open changes of orders. */
const reservedChanges = (orderId: number) =>
  db()
    .select({ cents: sql`coalesce(sum(seller_cents + margin_cents), 0)`.mapWith(Number) })
    .from(orderChanges)
    .where(and(eq(orderChanges.orderId, orderId), sql`state in ('accepted', 'delivered')`));
const reserved = ['offered', 'accepted', 'delivered', 'in_revision', 'disputed'];
const returned = ['declined', 'expired', 'cancelled'];
const statuses: Record<string, readonly OrderStatus[]> = {
  offered: ['Pending'],
  accepted: ['Processing'],
  delivered: ['Processing'],
  in_revision: ['Processing'],
  disputed: ['Processing'],
  approved: ['Live'],
};

/** Where the money of an order is, by the table of the design. */
function expectedMoney({ order, placement }: Placed) {
  const isRefunded = order.status === 'Refunded';
  const { chargedCents } = order;
  if (!placement) return { reserved: 0, earned: 0, payable: 0, kept: isRefunded ? 0 : chargedCents };
  const { state, approvedAt, sellerCents } = placement;
  if (approvedAt === null && reserved.includes(state))
    return { reserved: chargedCents, earned: 0, payable: 0, kept: chargedCents };
  const backCents = placement.sellerReturnedCents + placement.marginReturnedCents;
  const earned = state === 'taken_over' ? 0 : sellerCents - placement.sellerReturnedCents;
  // A settlement of a part stays returned in every status; a whole return is undone by another status.
  const partCents = returned.includes(state) || backCents === chargedCents ? 0 : backCents;
  return { reserved: 0, earned, payable: placement.ripenedCents, kept: isRefunded ? 0 : chargedCents - partCents };
}

const cents = z.coerce.number();
const sums = z.object({ reserved: cents, earned: cents, payable: cents, kept: cents, tax: cents });

/** Where the ledger has the money of an order: reserved, earned by the seller and payable, paid by the buyer, and its tax. */
async function actualMoney(orderId: number) {
  const [row] = await db().execute(sql`
    select coalesce(sum(cents) filter (where a.kind = 'reserved'), 0) as reserved,
      coalesce(sum(cents) filter (where a.kind in ('seller_pending', 'seller_payable')), 0) as earned,
      coalesce(sum(cents) filter (where a.kind = 'seller_payable'), 0) as payable,
      coalesce(-sum(cents) filter (where a.kind in ('wallet', 'tax')), 0) as kept,
      coalesce(sum(cents) filter (where a.kind = 'tax'), 0) as tax
    from ledger.transfers t,
      lateral (values (t.from_account, -t.amount_cents), (t.to_account, t.amount_cents)) as side(account, cents)
      join ledger.accounts a on a.id = side.account
    where t.order_id = ${orderId}`);
  return sums.parse(row);
}

async function expectConsistent(where: Scene): Promise<void> {
  let keptCents = 0;
  let taxCents = 0;
  for (const placed of await ordersOf(where)) {
    const { order, placement } = placed;
    const name = `order #${order.id}, ${order.status}, ${placement?.state}`;
    const money = expectedMoney(placed);
    const [change = { cents: 0 }] = await reservedChanges(order.id);
    const [reservedCents, paidCents] = [money.reserved + change.cents, money.kept + change.cents];
    const { tax, ...actual } = await actualMoney(order.id);
    expect(actual, name).toEqual({ ...money, reserved: reservedCents, kept: paidCents });
    keptCents += paidCents;
    taxCents += tax;
    // Whatever the rates were, no tax stays of a price that was returned.
    if (paidCents === 0) expect(tax, name).toBe(0);
    const allowed = placement ? statuses[placement.state] : undefined;
    if (allowed) expect(allowed, name).toContain(order.status);
    const hasClock = ['offered', 'accepted', 'in_revision', 'delivered'].includes(placement?.state ?? '');
    // A delivery that was not answered in time waits for a check that finds its link.
    const isWaitingForCheck = placement?.state === 'delivered' && Number(placement.approveDueAt) <= Date.now();
    if (!isWaitingForCheck)
      expect((placement?.nextActionAt ?? null) !== null, name).toBe(hasClock && order.deletedAt === null);
  }
  expect(await getWalletBalance(where.buyer.userId)).toBe(fundedCents - keptCents - taxCents);
}

describe('placements', () => {
  it('have their money and tax where their state requires after each step of any sequence, and sound books at its end', {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(rate, fc.array(step, { minLength: 16, maxLength: 24 }), async (first, steps) => {
        await setTax(first);
        const where = await scene();
        await run(where, { action: 'order', nth: 0, number: 2 });
        for (const taken of steps) {
          await runOrRefuse(where, taken);
          await expectConsistent(where);
        }
        await expectSoundBooks();
      }),
      { numRuns: propertyRuns(10) },
    );
  });

  it('keep sound books when all sides act at the same time', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        rate,
        fc.array(fc.array(step, { minLength: 2, maxLength: 4 }), { minLength: 7, maxLength: 10 }),
        async (first, rounds) => {
          await setTax(first);
          const where = await scene();
          await run(where, { action: 'order', nth: 0, number: 2 });
          for (const round of rounds) {
            const outcomes = await Promise.allSettled(round.map((taken) => runOrRefuse(where, taken)));
            expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
            await expectConsistent(where);
          }
          await expectSoundBooks();
        },
      ),
      { numRuns: propertyRuns(15) },
    );
  });
});

/** Two or more steps at the same time of which exactly one can succeed. */
describe('of two steps at the same time, one wins and the other gets a conflict', () => {
  beforeAll(turnTaxOff);
  const late = () => new Date(Date.now() - 1_000);
  const expectOne = async (id: number, work: Promise<unknown>[], states: string[]) => {
    const { values, codes } = await settle(work);
    expect(values).toHaveLength(1);
    expect(codes).toEqual(work.slice(1).map(() => 'conflict'));
    expect(states).toContain((await verbs.placementOf(id)).state);
  };
  const rounds = Array.from({ length: propertyRuns(6) }, (_, round) => round);

  it.each(rounds)('accept and decline %#', async () => {
    const offer = await makeOffer();
    await expectOne(offer.id, [verbs.accept(offer), verbs.decline(offer)], ['accepted', 'declined']);
  });

  it.each(rounds)('accept and cancel %#', async () => {
    const offer = await makeOffer();
    await expectOne(offer.id, [verbs.cancel(offer), verbs.accept(offer)], ['accepted', 'cancelled']);
  });

  it.each(rounds)('cancel and deliver %#', async () => {
    const offer = await makeOffer();
    await verbs.accept(offer);
    await db().update(placements).set({ deliveryDueAt: late() }).where(eq(placements.orderId, offer.id));
    await expectOne(offer.id, [verbs.deliver(offer), verbs.cancel(offer)], ['delivered', 'cancelled']);
  });

  it.each(rounds)('two deliveries %#', async () => {
    const offer = await makeOffer();
    await verbs.accept(offer);
    await expectOne(offer.id, [verbs.deliver(offer), verbs.deliver(offer, `${verbs.page}?2`)], ['delivered']);
  });

  it.each(rounds)('approve twice %#', async () => {
    const offer = await makeOffer();
    await verbs.accept(offer);
    await verbs.deliver(offer);
    await expectOne(offer.id, [verbs.approve(offer), verbs.approve(offer), verbs.approve(offer)], ['approved']);
  });

  it.each(rounds)('approve and request a change %#', async () => {
    const offer = await makeOffer();
    await verbs.accept(offer);
    await verbs.deliver(offer);
    await expectOne(offer.id, [verbs.revise(offer), verbs.approve(offer)], ['approved', 'in_revision']);
  });

  it.each(rounds)('approve and dispute %#', async () => {
    const offer = await makeOffer();
    await verbs.accept(offer);
    await verbs.deliver(offer);
    const { version } = await verbs.placementOf(offer.id);
    const reason = { reason: 'other' as const, text: 'It differs.', version };
    const dispute = openDispute(offer.buyer, offer.id, 'buyer', reason);
    await expectOne(offer.id, [verbs.approve(offer, version), dispute], ['approved', 'disputed']);
  });

  it.each(rounds)('accept and expire %#', async () => {
    const offer = await makeOffer();
    await verbs.passTime(offer.id, 73 * hour);
    const [{ codes }] = await Promise.all([settle([verbs.accept(offer)]), runPlacementClocks(), runPlacementClocks()]);
    const { state } = await verbs.placementOf(offer.id);
    expect(state).toBe(codes.length === 0 ? 'accepted' : 'expired');
    expect(codes.filter((code) => code !== 'conflict')).toEqual([]);
    expect(await getWalletBalance(offer.buyer.userId)).toBe(state === 'expired' ? 10_000 : 0);
  });

  it('leaves sound books', () => expectSoundBooks());
});
