import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '../../db/client';
import { type IdRange, readIdPage } from '../../db/read-id-page';
import { isEarned, isEarningOut } from '../../db/schema/ledger';
import type { CursorPage, PageRequest } from '../id-cursor';
import { toDecimalString, walletCurrency } from '../money';
import { csvLine } from '../platform/csv';

/** The earnings of a seller in one month (UTC). Amounts in USD cents, none negative. */
export type EarningMonth = {
  /** YYYY-MM. */
  month: string;
  earnedCents: number;
  /** What settlements and lost links returned to buyers. */
  returnedCents: number;
  /** What became payable. */
  ripenedCents: number;
  /** What was earned and not payable at the end of the month. */
  balanceCents: number;
};

const entryKinds = ['earned', 'returned', 'ripened'] as const;
type EntryKind = (typeof entryKinds)[number];

/** An entry of a seller's statement. */
export type EarningEntry = {
  /** The number of the entry, from 1 without gaps. */
  id: number;
  /** ISO 8601 in UTC. */
  at: string;
  /**
   * `earned` when a placement was approved or settled, `returned` when money went back to the buyer later, `ripened` when
   * a part became payable.
   */
  kind: EntryKind;
  /** USD cents, never negative; `kind` gives the direction. */
  amountCents: number;
  /** The balance after the entry, in USD cents. */
  balanceCents: number;
  orderId: number | null;
  website: string;
  /** Whether the order has a page; a deleted one has none. */
  hasPage: boolean;
};

type Reader = Pick<Executor, 'execute'>;

type EarningAccount = { id: number; balanceCents: number; entries: number };

const accountRow = z.object({ id: z.coerce.number(), balanceCents: z.coerce.number(), entries: z.int() });

async function findAccount(sellerId: string, on: Reader): Promise<EarningAccount | null> {
  const [row] = await on.execute(sql`
    select id, balance_cents as "balanceCents", version as entries from ledger.accounts
    where kind = 'seller_pending' and owner = ${sellerId} and currency = ${walletCurrency}`);
  return row ? accountRow.parse(row) : null;
}

const monthRow = z.object({
  month: z.string(),
  earned: z.coerce.number(),
  returned: z.coerce.number(),
  ripened: z.coerce.number(),
  entries: z.coerce.number(),
  first: z.int(),
  last: z.int(),
});
type MonthRow = z.output<typeof monthRow>;

/**
 * Returns the months with entries, the oldest first: the roll-up (lib/ledger/roll-up.ts), and the entries behind it.
 * These have higher versions than those in the roll-up, so the two statements need no common snapshot.
 */
async function readMonths({ id }: EarningAccount, on: Reader): Promise<MonthRow[]> {
  const months = new Map<string, MonthRow>();
  const add = (row: MonthRow) => {
    const known = months.get(row.month);
    const { earned = 0, returned = 0, ripened = 0, entries = 0, first = row.first, last = row.last } = known ?? {};
    months.set(row.month, {
      month: row.month,
      earned: earned + row.earned,
      returned: returned + row.returned,
      ripened: ripened + row.ripened,
      entries: entries + row.entries,
      first: Math.min(first, row.first),
      last: Math.max(last, row.last),
    });
  };
  const rolled = z.array(monthRow).parse([
    ...(await on.execute(sql`
      select to_char(month, 'YYYY-MM') as month, in_cents as earned, out_cents - ripened_cents as returned,
        ripened_cents as ripened, entries,
        first_version as first, last_version as last
      from earning_rollups where account_id = ${id}`)),
  ]);
  rolled.forEach(add);
  const last = Math.max(0, ...rolled.map((row) => row.last));
  const behind = await on.execute(sql`
    select to_char(at at time zone 'UTC', 'YYYY-MM') as month,
      coalesce(sum(amount_cents) filter (where kind = 'earned'), 0) as earned,
      coalesce(sum(amount_cents) filter (where kind = 'returned'), 0) as returned,
      coalesce(sum(amount_cents) filter (where kind = 'ripened'), 0) as ripened,
      count(*) as entries, min(id) as first, max(id) as last
    from (${selectEntries(id, { where: sql`id > ${last}` })}) as entries group by 1`);
  z.array(monthRow)
    .parse([...behind])
    .forEach(add);
  return [...months.values()].sort((one, other) => one.month.localeCompare(other.month));
}

/** Returns what a seller has earned: the current balance in USD cents, and the months, newest first. */
export async function getEarnings(sellerId: string): Promise<{ balanceCents: number; months: EarningMonth[] }> {
  const account = await findAccount(sellerId, db());
  if (!account) return { balanceCents: 0, months: [] };
  let balanceCents = 0;
  const months = (await readMonths(account, db())).map(({ month, earned, returned, ripened }) => {
    balanceCents += earned - returned - ripened;
    return { month, earnedCents: earned, returnedCents: returned, ripenedCents: ripened, balanceCents };
  });
  return { balanceCents, months: months.reverse() };
}

/** The filter of a statement: one month (YYYY-MM), or all. */
export const statementFilter = z.object({
  month: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Enter the month as YYYY-MM.')
    .optional(),
});
type StatementFilter = z.output<typeof statementFilter>;

/** Lists a page of a seller's statement, newest first, with the exact number of entries. */
export async function listEarningEntries(
  sellerId: string,
  { month, ...page }: StatementFilter & PageRequest,
): Promise<CursorPage<EarningEntry> & { total: number }> {
  const scope = await findScope(sellerId, month, db());
  // The cursor of another list.
  const isForeign = page.cursor && 'id' in page.cursor && !/^\d{1,9}$/.test(page.cursor.id);
  if (!scope || isForeign) return { rows: [], next: null, previous: null, total: scope?.total ?? 0 };
  const found = await readIdPage(sql`id`, page, (range) => readEntries(scope, range, db()));
  return { ...found, total: scope.total };
}

/** The entries of an account or of one month: the condition, and their number. */
type Scope = { accountId: number; where: SQL | undefined; total: number };

async function findScope(sellerId: string, month: string | undefined, on: Reader): Promise<Scope | null> {
  const account = await findAccount(sellerId, on);
  if (!account) return null;
  const accountId = account.id;
  if (month === undefined) return { accountId, where: undefined, total: account.entries };
  const found = (await readMonths(account, on)).find((row) => row.month === month);
  if (!found) return null;
  // The versions limit what is read; an entry among them may have another date if it was booked later.
  const where = sql`id between ${found.first} and ${found.last}
    and to_char(at at time zone 'UTC', 'YYYY-MM') = ${month}`;
  return { accountId, where, total: found.entries };
}

const entryRow = z.object({
  id: z.int(),
  at: z.string(),
  kind: z.enum(entryKinds),
  amountCents: z.coerce.number(),
  balanceCents: z.coerce.number(),
  orderId: z.int().nullable(),
  website: z.string(),
  hasPage: z.boolean(),
});

async function readEntries({ accountId, where }: Scope, range: IdRange, on: Reader): Promise<EarningEntry[]> {
  const conditions = [where, range.where].filter((part) => part !== undefined);
  const rows = await on.execute(sql`
    select l.id, l.kind, l.amount_cents as "amountCents", l.balance_cents as "balanceCents", l.order_id as "orderId",
      coalesce(orders.website, '') as website, orders.id is not null and orders.deleted_at is null as "hasPage",
      to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
    from (
      select * from (${selectEntries(accountId, {
        where: conditions.length > 0 ? sql.join(conditions, sql` and `) : undefined,
        end: sql`order by ${range.orderBy} limit ${range.limit + range.offset}`,
      })}) as entries
      order by ${range.orderBy} limit ${range.limit} offset ${range.offset}
    ) as l left join orders on orders.id = l.order_id
    order by ${range.orderBy}`);
  return z.array(entryRow).parse([...rows]);
}

/** The entries of an account, each side along its own index. `where` and `end` apply to either side. */
function selectEntries(accountId: number, { where, end }: { where?: SQL | undefined; end?: SQL }): SQL {
  const side = (name: 'from' | 'to', kind: SQL, condition: SQL) => sql`
    (select * from (
      select ${sql.raw(name)}_version as id, ${kind} as kind, amount_cents,
        ${sql.raw(name)}_balance_cents as balance_cents, order_id, effective_at as at
      from ledger.transfers where ${sql.raw(name)}_account = ${accountId}::bigint and ${condition}
    ) as side ${where ? sql`where ${where}` : sql``} ${end})`;
  const out = sql`case when kind = 'ripening' then 'ripened' else 'returned' end`;
  return sql`${side('to', sql`'earned'::text`, isEarned)} union all ${side('from', out, isEarningOut)}`;
}

/** Small enough to read and format a batch within a few milliseconds. */
const batchSize = 1_000;

const columns: readonly [header: string, cell: (entry: EarningEntry) => string | number | null][] = [
  ['Entry', (entry) => entry.id],
  ['Time (UTC)', (entry) => entry.at],
  ['Order', (entry) => entry.orderId],
  ['Website', (entry) => entry.website],
  // Columns of their own, because spreadsheets may take a leading minus sign for a formula.
  ['Earned (USD)', (entry) => (entry.kind === 'earned' ? toDecimalString(entry.amountCents) : '')],
  ['Returned (USD)', (entry) => (entry.kind === 'returned' ? toDecimalString(entry.amountCents) : '')],
  ['Payable (USD)', (entry) => (entry.kind === 'ripened' ? toDecimalString(entry.amountCents) : '')],
  ['Not payable yet (USD)', (entry) => toDecimalString(entry.balanceCents)],
];

/** Generates a seller's statement as CSV (RFC 4180), newest first, in batches. */
export async function* exportEarnings(
  sellerId: string,
  { month }: StatementFilter,
  on: Reader = db(),
): AsyncGenerator<string> {
  // The byte order mark marks the file as UTF-8 for spreadsheets.
  yield `\uFEFF${csvLine(columns.map(([header]) => header))}`;
  const scope = await findScope(sellerId, month, on);
  if (!scope) return;
  let rows: EarningEntry[] = [];
  do {
    const before = rows.at(-1)?.id;
    const where = before === undefined ? undefined : sql`id < ${before}`;
    rows = await readEntries(scope, { where, orderBy: sql`id desc`, limit: batchSize, offset: 0 }, on);
    if (rows.length > 0) yield rows.map((entry) => csvLine(columns.map(([, cell]) => cell(entry)))).join('');
  } while (rows.length === batchSize);
}
