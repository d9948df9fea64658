import { eq, isNotNull, sql } from 'drizzle-orm';
import fc from 'fast-check';
import Papa from 'papaparse';
import postgres from 'postgres';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { transferKinds } from '@/db/schema/ledger';
import { placements } from '@/db/schema/placements';
import { duePayoutStates, getCashPosition } from '@/lib/dashboard/cash-position';
import {
  exportMarketplace,
  getMarketplaceFigures,
  getTakeRate,
  periodQuery,
} from '@/lib/dashboard/marketplace-figures';
import { listEntries, listFigureOrders, sumEntries } from '@/lib/dashboard/money-entries';
import { currentDay, shiftDay, transferFigures } from '@/lib/dashboard/money-figures';
import { newId } from '@/lib/ids';
import { computePositions } from '@/lib/ledger/position';
import { clearingAccount, postTransfer } from '@/lib/ledger/post-transfer';
import { reclaimFromWallet } from '@/lib/ledger/receivables';
import { resetRollUp, rollUpLedger } from '@/lib/ledger/roll-up';
import { allowedRoutes } from '@/lib/ledger/routes';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { updateOrder } from '@/lib/orders/order/update';
import { propertyRuns } from '@/scripts/testing/tier';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeOrder } from '@/tests/factories/make-order';
import { makePayout } from '@/tests/factories/make-payout';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';

const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
afterAll(() => owner.end());

const today = currentDay();
const lastDays = 4;

/** Dates the transfers behind a position back by up to three days, each by the days that its key decides. */
async function scatter(since: number): Promise<void> {
  await owner.begin(async (tx) => {
    await tx`alter table ledger.transfers disable trigger user`;
    await tx`update ledger.transfers set created_at = created_at - make_interval(days => abs(hashtext(key)) % ${lastDays})
      where position > ${since}`;
    await tx`alter table ledger.transfers enable trigger user`;
  });
}

const cents = z.coerce.number();
const replayed = z.array(z.object({ kind: z.string(), owner: z.string(), currency: z.string(), cents }));

/** The balance of each account at the end of a day, replayed from the transfers alone. */
const replay = async (day: string) =>
  replayed.parse(
    await owner`
      select a.kind, a.owner, a.currency, sum(case when t.to_account = a.id then t.amount_cents else -t.amount_cents end) as cents
      from ledger.transfers t join ledger.accounts a on a.id in (t.from_account, t.to_account)
      where t.created_at < (${day}::date + 1)::timestamp at time zone 'UTC' group by 1, 2, 3`,
  );

/** Every route of the books but those that a guarded account could refuse, in each currency that providers hold. */
const routes = transferKinds.flatMap((kind) =>
  kind === 'reversal' ? [] : allowedRoutes[kind].map(([from, to]) => ({ kind, from, to })),
);
const step = fc.record({
  route: fc.constantFrom(...routes),
  cents: fc.integer({ min: 1, max: 90_000 }),
  provider: fc.constantFrom('stripe', 'paypal', 'wechat'),
  currency: fc.constantFrom('USD', 'USD', 'CNY'),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const guarded: readonly string[] = ['wallet', 'seller_pending', 'seller_payable'];
const personal: readonly string[] = [...guarded, 'receivable'];
const ofProvider: readonly string[] = ['clearing', 'bank', 'fees', 'exchange', 'pass_through', 'refund_transit'];

async function post({ route, cents: amountCents, provider, currency }: Step, userId: string): Promise<void> {
  const isForeign = currency !== 'USD' && ofProvider.includes(route.from) && ofProvider.includes(route.to);
  const accountOf = (kind: (typeof route)['from']) => ({
    kind,
    owner: personal.includes(kind) ? userId : [...ofProvider, 'payout_transit'].includes(kind) ? provider : '',
  });
  await postTransfer(db(), {
    key: `walk:${newId()}`,
    kind: route.kind,
    from: accountOf(route.from),
    to: accountOf(route.to),
    amountCents,
    currency: isForeign ? currency : 'USD',
  }).catch((thrown: unknown) => {
    // A guarded account that holds less refuses.
    if (!guarded.includes(route.from)) throw thrown;
  });
}

it('cash less what is owed is free, as the books prove it, on every day of any history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), fc.nat(40), async (steps, rolledUpAfter) => {
      const { userId } = await makeUser();
      await fundWallet(userId, 1_000_000);
      const [{ position = 0 } = {}] = await owner<{ position: number }[]>`
        select coalesce(max(position), 0)::float8 as position from ledger.transfers`;
      for (const one of steps) await post(one, userId);
      await scatter(position);
      await resetRollUp();
      for (const one of steps.slice(0, 3)) await post(one, userId);
      if (rolledUpAfter % 2 === 0) await rollUpLedger();
      for (const one of steps.slice(0, 2)) await post(one, userId);

      for (let back = 0; back <= lastDays; back += 1) {
        const day = shiftDay(today, -back);
        const [found, replayedRows] = [await getCashPosition(day), await replay(day)];
        for (const { currency, lines, cash, owed, free } of found.currencies) {
          const sum = (kind: string, of: string | null) =>
            replayedRows
              .filter((row) => row.currency === currency && row.kind === kind && (of === null || row.owner === of))
              .reduce((total, row) => total + row.cents, 0);
          for (const line of lines) {
            const sign = line.side === 'cash' ? -1 : 1;
            expect({ line: line.id, day, cents: line.cents }).toEqual({
              ...{ line: line.id, day, cents: 0 + sign * sum(line.kind, line.owner) },
            });
          }
          const own = lines.filter(({ side }) => side === 'own').reduce((total, line) => total + line.cents, 0);
          expect({ day, currency, free: cash - owed }).toEqual({ day, currency, free });
          expect({ day, currency, own }).toEqual({ day, currency, own: free });
        }
        const usd = found.currencies[0];
        expect(found.days.at(-1)).toEqual({ day, cash: usd?.cash, owed: usd?.owed, free: usd?.free });
      }
      const now = await getCashPosition(today);
      for (const book of computePositions(await verifyBooks())) {
        const usd = now.currencies.find(({ currency }) => currency === book.currency);
        const { heldCents, bankCents, exchangeCents, receivableCents, earnedCents, feesCents, givenCents } = book;
        expect([book.currency, usd?.cash ?? 0, usd?.free ?? 0]).toEqual([
          book.currency,
          heldCents + bankCents + exchangeCents,
          earnedCents - feesCents - givenCents - receivableCents,
        ]);
      }
      const period = { from: shiftDay(today, -2), to: today };
      for (const figure of transferFigures) {
        const listed = await listEntries({ figure, currency: 'USD', period }, { limit: 100_000 });
        const sums = await sumEntries({ figure, currency: 'USD', period });
        const total = listed.rows.reduce((all, row) => all + row.cents, 0);
        expect([figure, total, listed.rows.length]).toEqual([figure, sums.within, sums.count]);
        const account = now.currencies[0]?.lines.find(({ id }) => id === figure);
        if (account) expect([figure, sums.before + sums.within]).toEqual([figure, account.cents]);
      }
    }),
    { numRuns: propertyRuns(6) },
  );
  const { checks } = await verifyBooks();
  expect(checks.filter(({ name, broken }) => broken > 0 && name.includes('rolled-up'))).toEqual([]);
});

it('shows a chargeback of spent money as owed by the buyer, and lower free money', async () => {
  const { userId } = await makeUser();
  await fundWallet(userId, 1_000);
  const before = await getCashPosition(today);
  const centsOf = ({ currencies: [usd] }: typeof before, line: string) =>
    usd?.lines.find(({ id }) => id === line)?.cents ?? 0;
  await db().transaction((tx) =>
    reclaimFromWallet(tx, {
      ...{ key: `walk:${newId()}`, kind: 'dispute', userId, to: clearingAccount('stripe'), amountCents: 2_500 },
      ...{ currency: 'USD', method: '', note: '', meta: {} },
    }),
  );
  const after = await getCashPosition(today);
  expect(['receivable', 'wallet', 'stripe'].map((line) => centsOf(after, line) - centsOf(before, line))).toEqual([
    -1_500, -1_000, -2_500,
  ]);
  expect((after.currencies[0]?.free ?? 0) - (before.currencies[0]?.free ?? 0)).toBe(-1_500);
});

it('divides the payouts that are due by their state, to the cent, and those of a past day by their state then', async () => {
  for (const state of [...duePayoutStates, 'paid', 'failed'] as const) await makePayout(state);
  const { currencies, payouts } = await getCashPosition(today);
  const due = currencies[0]?.lines.find(({ id }) => id === 'payout_transit')?.cents;
  expect(payouts).toEqual(duePayoutStates.map((state) => ({ state, cents: 10_000, count: 1 })));
  expect(due).toBe(
    (await replay(today)).filter(({ kind }) => kind === 'payout_transit').reduce((all, one) => all + one.cents, 0),
  );
  expect((await getCashPosition(shiftDay(today, -1))).payouts.map(({ count }) => count)).toEqual([0, 0, 0]);
});

const period = { from: today, to: today };

it('counts sales, refunds, shares, late deliveries and lost links on their day, beside the period before', async () => {
  const before = (await getMarketplaceFigures(period)).period;
  const { id } = await makeOrder(5_000);
  await updateOrder(await makeUser('Admin'), id, { status: 'Refunded' });
  const late = await makePlacement('approved');
  await makePlacement('offered');
  await makePlacement('settled', { buyerPercent: 25, isApproved: true });
  await makePlacement('lost');
  const missing = await makePlacement('accepted');
  const due = (placementId: number, minutes: number) =>
    db()
      .update(placements)
      .set({ deliveryDueAt: sql`now() - make_interval(mins => ${minutes})` })
      .where(eq(placements.orderId, placementId));
  await db().update(placements).set({ deliveryDueAt: null }).where(isNotNull(placements.deliveryDueAt));
  await due(late.id, 3);
  await due(missing.id, 2);
  const { period: after, days, before: earlier } = await getMarketplaceFigures(period);
  const { gmvCents, refundsCents, marginCents, earnedCents } = after;
  const all = await owner<{ kept: number; earned: number }[]>`
    select sum(case when b.kind = 'revenue' then t.amount_cents when a.kind = 'revenue' then -t.amount_cents else 0 end)::float8 as kept,
      sum(case when b.kind = 'seller_pending' then t.amount_cents when a.kind = 'seller_pending' and b.kind = 'reserved'
        then -t.amount_cents else 0 end)::float8 as earned
    from ledger.transfers t join ledger.accounts a on a.id = t.from_account join ledger.accounts b on b.id = t.to_account
    where t.created_at >= ${today}::timestamp at time zone 'UTC'`;
  expect({ kept: marginCents, earned: earnedCents }).toEqual(all[0]);
  expect({ orders: after.orders - before.orders, gmv: gmvCents - before.gmvCents }).toEqual({
    orders: 6,
    gmv: 10_000,
  });
  expect(refundsCents - before.refundsCents).toBeGreaterThan(5_000 + 250);
  expect(after).toMatchObject({ due: 2, late: 2, lost: before.lost + 1 });
  expect(days).toEqual([{ day: today, ...after }]);
  expect(earlier).toMatchObject({ from: shiftDay(today, -1), to: shiftDay(today, -1) });
  const listed = async (figure: 'late' | 'lost') =>
    (await listFigureOrders(figure, period, { limit: 100 })).rows.map((row) => row.id);
  expect(await listed('late')).toEqual([missing.id, late.id]);
  expect((await listed('lost')).length).toBe(after.lost);
});

it('has no take rate without earnings, and exports each day of both periods', async () => {
  const nothing = { gmvCents: 0, orders: 0, refundsCents: 0, due: 0, late: 0, lost: 0 };
  expect(getTakeRate({ ...nothing, marginCents: 400, earnedCents: 600 })).toBe(40);
  expect(getTakeRate({ ...nothing, marginCents: 0, earnedCents: 0 })).toBeNull();
  expect(getTakeRate({ ...nothing, marginCents: -500, earnedCents: 100 })).toBeNull();
  const days = { from: shiftDay(today, -2), to: today };
  const pieces: string[] = [];
  for await (const piece of exportMarketplace(days)) pieces.push(piece);
  const { data } = Papa.parse<Record<string, string>>(pieces.join('').replace('\uFEFF', ''), {
    header: true,
    skipEmptyLines: true,
  });
  expect(data.map((row) => [row['Day (UTC)'], row.Period])).toEqual([
    ...[-5, -4, -3].map((back) => [shiftDay(today, back), 'before']),
    ...[-2, -1, 0].map((back) => [shiftDay(today, back), 'selected']),
  ]);
  const { period: sums } = await getMarketplaceFigures(days);
  const exported = data.slice(3).reduce((all, row) => all + Math.round(Number(row['GMV (USD)']) * 100), 0);
  expect(exported).toBe(sums.gmvCents);
});

it('refuses a period that is not one', () => {
  const cases: [query: Record<string, string>, refused: string[]][] = [
    [{ from: '2026-02-30' }, ['from']],
    [{ to: 'tomorrow' }, ['to']],
    [{ from: '1999-12-31', to: '2026-01-01' }, ['from']],
    [{ from: '2026-01-02', to: '2026-01-01' }, ['from']],
    [{ from: '2001-01-01', to: '2026-01-01' }, ['from']],
    [{ from: '2026-01-01', to: '2026-01-01' }, []],
    [{}, []],
  ];
  for (const [query, refused] of cases) {
    const { error } = periodQuery.safeParse(query);
    expect([query, (error?.issues ?? []).map(({ path: [name] }) => name)]).toEqual([query, refused]);
  }
});
