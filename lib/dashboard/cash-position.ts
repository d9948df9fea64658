import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { accountKinds } from '@/db/schema/ledger';
import type { payoutStates } from '@/db/schema/payouts';
import type { Transaction } from '@/db/transaction';
import { allFlows } from '@/lib/ledger/moves';
import { walletCurrency } from '@/lib/money';
import { type MoneyAccount, type MoneySide, moneyAccounts, shiftDay, startOf } from './money-figures';

/** The number of days before and including the chosen one that the overview lists. */
export const positionDays = 30;

const balanceRow = z.object({
  kind: z.enum(accountKinds),
  owner: z.string(),
  currency: z.string(),
  /** Null for the sum of all earlier days. */
  day: z.string().nullable(),
  cents: z.coerce.number(),
});
type BalanceRow = z.output<typeof balanceRow>;

/** The states of payouts that are owed, in the order in which they follow each other. */
export const duePayoutStates = [
  'requested',
  'approved',
  'sent',
] as const satisfies readonly (typeof payoutStates)[number][];
const payoutRow = z.object({ state: z.enum(duePayoutStates), cents: z.coerce.number(), count: z.coerce.number() });

/** The amounts of a currency in minor units: `free` is `cash` less `owed`, and the sum of the own accounts. */
type Sums = { cash: number; owed: number; free: number };
export type CurrencyPosition = Sums & { currency: string; lines: readonly (MoneyAccount & { cents: number })[] };
export type PositionDay = Sums & { day: string };

/**
 * Returns what the operator has and owes at the end of a day (UTC), by the ledger, in each currency, and for USD also at
 * the end of each of the days before. The sums come from the roll-up and the transfers behind it, so a past day equals
 * the sum of its transfers. Payouts that are due are divided by their state.
 * @param day YYYY-MM-DD
 */
export async function getCashPosition(day: string) {
  return db().transaction(
    async (tx) => {
      const rows = await readBalances(tx, day);
      const found = [...new Set([walletCurrency, ...rows.map(({ currency }) => currency)])];
      return {
        currencies: found
          .map((currency) => toPosition(currency, rows))
          .filter(({ currency, lines }) => currency === walletCurrency || lines.some(({ cents }) => cents !== 0)),
        days: toDays(day, rows),
        payouts: await readPayouts(tx, day),
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
export type CashPosition = Awaited<ReturnType<typeof getCashPosition>>;

async function readBalances(tx: Transaction, day: string): Promise<BalanceRow[]> {
  const rows = await tx.execute(sql`
    select side.kind, case when side.kind = 'clearing' then side.owner else '' end as owner, currency,
      case when day > ${shiftDay(day, -positionDays)}::date then day::text end as day, sum(side.cents) as cents
    from (${allFlows}) as flows
    cross join lateral (values (from_kind, from_owner, -amount_cents), (to_kind, to_owner, amount_cents))
      as side(kind, owner, cents)
    where day <= ${day}::date group by 1, 2, 3, 4`);
  return z.array(balanceRow).parse(rows);
}

/** Returns the amount of a row as the operator sees it: money at a provider is negative in the ledger. */
const centsOf = ({ side }: MoneyAccount, { cents }: BalanceRow) => (side === 'cash' ? 0 - cents : cents);

const isOf = ({ kind, owner }: MoneyAccount, row: BalanceRow) =>
  row.kind === kind && (owner === null || row.owner === owner);

function toPosition(currency: string, rows: readonly BalanceRow[]): CurrencyPosition {
  const lines = moneyAccounts.map((account) => ({
    ...account,
    cents: rows
      .filter((row) => row.currency === currency && isOf(account, row))
      .reduce((sum, row) => sum + centsOf(account, row), 0),
  }));
  return { currency, lines, ...addUp(lines) };
}

function addUp(lines: readonly { side: MoneySide; cents: number }[]): Sums {
  const sum = (side: MoneySide) =>
    lines.filter((line) => line.side === side).reduce((total, { cents }) => total + cents, 0);
  const [cash, owed] = [sum('cash'), sum('owed')];
  return { cash, owed, free: cash - owed };
}

/** Returns the position in USD at the end of each day, the oldest first. */
function toDays(last: string, rows: readonly BalanceRow[]): PositionDay[] {
  const moves = rows
    .filter(({ currency }) => currency === walletCurrency)
    .flatMap((row) =>
      moneyAccounts
        .filter((account) => isOf(account, row))
        .map((account) => ({ day: row.day ?? '', side: account.side, cents: centsOf(account, row) })),
    );
  return Array.from({ length: positionDays }, (_, index) => {
    const day = shiftDay(last, index + 1 - positionDays);
    return { day, ...addUp(moves.filter((move) => move.day <= day)) };
  });
}

/**
 * Sums the payouts whose amount was in `payout_transit` at the end of the day by the ledger, by their state then. A payout
 * that ended since was updated since; the hour allows for clocks that differ.
 */
async function readPayouts(tx: Transaction, day: string) {
  const end = startOf(shiftDay(day, 1));
  const rows = await tx.execute(sql`
    select case when p.sent_at < ${end} then 'sent' when p.approved_at < ${end} then 'approved' else 'requested' end as state,
      sum(p.amount_cents) as cents, count(*) as count
    from public.payouts p
    join ledger.transfers t on t.key = 'payout:' || p.id and t.created_at < ${end}
    where (p.state in ('requested', 'approved', 'sent') or p.updated_at > ${end} - interval '1 hour')
      and p.created_at < ${end} + interval '1 hour'
      and not exists (
        select from ledger.transfers o
        where o.key in ('payout:' || p.id || ':paid', 'payout:' || p.id || ':returned') and o.created_at < ${end})
    group by 1`);
  const found = z.array(payoutRow).parse(rows);
  return duePayoutStates.map((state) => found.find((row) => row.state === state) ?? { state, cents: 0, count: 0 });
}
