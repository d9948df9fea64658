import { type SQL, sql } from 'drizzle-orm';
import { type AccountKind, accountKinds } from '@/db/schema/ledger';
import { paymentProviders } from '@/db/schema/topups';

/** What a balance is to the operator: money that is there, money of others, or what remains of both. */
export type MoneySide = 'cash' | 'owed' | 'own';

/**
 * The side of each account kind, in the order in which they are shown. The three sides add up: what is free is the cash
 * less what is owed, and the own money.
 */
const sides: Readonly<Record<AccountKind, MoneySide>> = {
  clearing: 'cash',
  bank: 'cash',
  exchange: 'cash',
  wallet: 'owed',
  reserved: 'owed',
  seller_pending: 'owed',
  seller_payable: 'owed',
  payout_transit: 'owed',
  refund_transit: 'owed',
  suspense: 'owed',
  tax: 'owed',
  pass_through: 'owed',
  revenue: 'own',
  fees: 'own',
  adjustments: 'own',
  // Not there, although the platform earned it or owes it to others.
  receivable: 'own',
};
const shownOrder = Object.keys(sides);

/** A line of the overview: the accounts of a kind, or those of one provider. */
export type MoneyAccount = { id: string; kind: AccountKind; owner: string | null; side: MoneySide };

/** All accounts. The account of each payment provider is a line of its own. */
export const moneyAccounts: readonly MoneyAccount[] = [...accountKinds]
  .sort((one, other) => shownOrder.indexOf(one) - shownOrder.indexOf(other))
  .flatMap((kind): MoneyAccount[] =>
    kind === 'clearing'
      ? paymentProviders.map((owner) => ({ id: owner, kind, owner, side: sides[kind] }))
      : [{ id: kind, kind, owner: null, side: sides[kind] }],
  );

/** The figures of a period that are sums of transfers; `revenue`, an account, is the margin. */
const flowFigures = ['gmv', 'refunds', 'earned'] as const;
type FlowFigure = (typeof flowFigures)[number];

/** The figures whose list are transfers. */
export const transferFigures: readonly string[] = [...moneyAccounts.map(({ id }) => id), ...flowFigures];

const ofOrders = sql`('revenue', 'reserved')`;

const flowSigns: Readonly<Record<FlowFigure, SQL>> = {
  gmv: sql`case when kind = 'order' then 1 else 0 end`,
  refunds: sql`case when to_kind = 'wallet' and from_kind in ${ofOrders} then 1
    when from_kind = 'wallet' and to_kind in ${ofOrders} and kind <> 'order' then -1 else 0 end`,
  earned: sql`case when from_kind = 'reserved' and to_kind = 'seller_pending' then 1
    when from_kind = 'seller_pending' and to_kind = 'reserved' then -1 else 0 end`,
};

/**
 * Builds the sign with which a transfer or flow counts in a figure: 1, -1, or 0 if it does not count. Money at a provider
 * is negative in the ledger, so what leaves a cash account there is what the operator has.
 * @param figure one of `transferFigures`
 */
export function signOf(figure: string): SQL {
  const flow = flowFigures.find((name) => name === figure);
  if (flow) return flowSigns[flow];
  const { kind, owner, side } = requireAccount(figure);
  const into = side === 'cash' ? -1 : 1;
  const is = (name: 'from' | 'to') =>
    sql`${sql.raw(`${name}_kind`)} = ${kind} ${owner === null ? sql`` : sql`and ${sql.raw(`${name}_owner`)} = ${owner}`}`;
  return sql`case when ${is('to')} then ${sql.raw(String(into))} when ${is('from')} then ${sql.raw(String(-into))} else 0 end`;
}

/** Returns an account by its id; undefined for a figure of a period. */
export const findMoneyAccount = (figure: string): MoneyAccount | undefined =>
  moneyAccounts.find(({ id }) => id === figure);

function requireAccount(figure: string): MoneyAccount {
  const account = findMoneyAccount(figure);
  if (!account) throw new Error(`There is no figure ${figure}.`);
  return account;
}

/** Returns the day (YYYY-MM-DD, UTC) some days after another. */
export const shiftDay = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** Returns the current day in UTC, as YYYY-MM-DD. */
export const currentDay = (): string => new Date().toISOString().slice(0, 10);

/** Builds the beginning of a day in UTC. */
export const startOf = (day: string): SQL => sql`(${day}::timestamp at time zone 'UTC')`;
