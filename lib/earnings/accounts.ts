import { type SQL, sql } from 'drizzle-orm';
import { cache } from 'react';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import type { IdRange } from '@/db/read-id-page';
import { readInBatches } from '@/db/read-in-batches';
import { type AccountKind, isEarned, isEarningOut, isPayableIn, isPayableOut } from '@/db/schema/ledger';
import { walletCurrency } from '@/lib/money';

/** The accounts of a seller: what can be paid out, and what was earned and is not payable yet. */
export const sellerAccounts = ['available', 'pending'] as const;
export type SellerAccount = (typeof sellerAccounts)[number];

export const entryKinds = ['earned', 'returned', 'ripened', 'payout', 'payout_returned'] as const;

export type Reader = Pick<Executor, 'execute'>;

/** An account in the ledger; its version is the number of its entries. */
export type Account = { id: number; name: SellerAccount; balanceCents: number; entries: number };

const kindOf: Record<SellerAccount, AccountKind> = { available: 'seller_payable', pending: 'seller_pending' };

const accountRow = z.object({ id: z.coerce.number(), balanceCents: z.coerce.number(), entries: z.int() });

/** Finds an account of a seller; null before its first entry. */
export const findAccount = cache(async (sellerId: string, name: SellerAccount, on: Reader): Promise<Account | null> => {
  const [row] = await on.execute(sql`
      select id, balance_cents as "balanceCents", version as entries from ledger.accounts
      where kind = ${kindOf[name]} and owner = ${sellerId} and currency = ${walletCurrency}`);
  return row ? { ...accountRow.parse(row), name } : null;
});

const monthRow = z.object({
  month: z.string(),
  in: z.coerce.number(),
  out: z.coerce.number(),
  ripened: z.coerce.number(),
  entries: z.coerce.number(),
  first: z.int(),
  last: z.int(),
});

/** The entries of an account in a month (UTC): their sums in USD cents, their number, lowest and highest version. */
export type AccountMonth = z.output<typeof monthRow>;

/**
 * Returns the months with entries, the oldest first: the roll-up (lib/ledger/roll-up.ts), and the entries behind it.
 * These have higher versions than those in the roll-up, so the two statements need no common snapshot.
 */
export const getMonths = cache(async ({ id, name }: Account, on: Reader): Promise<AccountMonth[]> => {
  const rolled = z.array(monthRow).parse([
    ...(await on.execute(sql`
      select to_char(month, 'YYYY-MM') as month, in_cents as "in", out_cents as "out", ripened_cents as ripened, entries,
        first_version as first, last_version as last
      from earning_rollups where account_id = ${id}`)),
  ]);
  const newest = Math.max(0, ...rolled.map(({ last }) => last));
  const months = new Map(rolled.map((row) => [row.month, row]));
  const behind = await on.execute(sql`
    select to_char(at at time zone 'UTC', 'YYYY-MM') as month,
      coalesce(sum(amount_cents) filter (where is_in), 0) as "in",
      coalesce(sum(amount_cents) filter (where not is_in), 0) as "out",
      coalesce(sum(amount_cents) filter (where kind = 'ripened'), 0) as ripened,
      count(*) as entries, min(id) as first, max(id) as last
    from (${selectEntries({ id, name }, { where: sql`id > ${newest}` })}) as entries group by 1`);
  for (const row of z.array(monthRow).parse([...behind])) {
    const known = months.get(row.month);
    months.set(row.month, known ? addMonth(known, row) : row);
  }
  return [...months.values()].sort((one, other) => one.month.localeCompare(other.month));
});

const addMonth = (one: AccountMonth, other: AccountMonth): AccountMonth => ({
  month: one.month,
  in: one.in + other.in,
  out: one.out + other.out,
  ripened: one.ripened + other.ripened,
  entries: one.entries + other.entries,
  first: Math.min(one.first, other.first),
  last: Math.max(one.last, other.last),
});

/** The entries of an account or of one month: the condition, and their number. */
export type Scope = { account: Pick<Account, 'id' | 'name'>; where: SQL | undefined; total: number };

export const scopeOfMonth = (account: Scope['account'], { month, first, last, entries }: AccountMonth): Scope => ({
  account,
  // The versions limit what is read; an entry among them may have another date if it was booked later.
  where: sql`id between ${first} and ${last} and to_char(at at time zone 'UTC', 'YYYY-MM') = ${month}`,
  total: entries,
});

const entryRow = z.object({
  id: z.int(),
  at: z.string(),
  kind: z.enum(entryKinds),
  amountCents: z.coerce.number(),
  balanceCents: z.coerce.number(),
  orderId: z.int().nullable(),
  website: z.string(),
  payoutId: z.string().nullable(),
  hasPage: z.boolean(),
});

/** An entry of a seller's account. */
export type EarningEntry = z.output<typeof entryRow>;

/** Reads entries in the order of the range, with the website of each order. */
export async function listEntries({ account, where }: Scope, range: IdRange, on: Reader): Promise<EarningEntry[]> {
  const conditions = [where, range.where].filter((part) => part !== undefined);
  const rows = await on.execute(sql`
    select l.id, l.kind, l.amount_cents as "amountCents", l.balance_cents as "balanceCents", l.order_id as "orderId",
      l.payout_id as "payoutId", coalesce(orders.website, '') as website,
      orders.id is not null and orders.deleted_at is null as "hasPage",
      to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
    from (
      select * from (${selectEntries(account, {
        where: conditions.length > 0 ? sql.join(conditions, sql` and `) : undefined,
        end: sql`order by ${range.orderBy} limit ${range.limit + range.offset}`,
      })}) as entries
      order by ${range.orderBy} limit ${range.limit} offset ${range.offset}
    ) as l left join orders on orders.id = l.order_id
    order by ${range.orderBy}`);
  return z.array(entryRow).parse([...rows]);
}

/** Small enough to read and format a batch within a few milliseconds. */
const batchSize = 1_000;

/** Generates the entries of an account or month in batches. */
export function streamEntries(scope: Scope, order: 'newest' | 'oldest', on: Reader) {
  const isNewest = order === 'newest';
  const orderBy = isNewest ? sql`id desc` : sql`id`;
  return readInBatches<EarningEntry>(batchSize, (last) => {
    const where = last && (isNewest ? sql`id < ${last.id}` : sql`id > ${last.id}`);
    return listEntries(scope, { where, orderBy, limit: batchSize, offset: 0 }, on);
  });
}

/** Returns the entries of an account, each side along its own index. `where` and `end` apply to either side. */
function selectEntries({ id, name }: Scope['account'], { where, end }: { where?: SQL | undefined; end?: SQL }): SQL {
  const side = (column: 'from' | 'to', kind: SQL, condition: SQL) => sql`
    (select * from (
      select ${sql.raw(column)}_version as id, ${kind} as kind, ${sql.raw(String(column === 'to'))} as is_in, amount_cents,
        ${sql.raw(column)}_balance_cents as balance_cents, order_id, meta ->> 'payoutId' as payout_id, effective_at as at
      from ledger.transfers where ${sql.raw(column)}_account = ${id}::bigint and ${condition}
    ) as side ${where ? sql`where ${where}` : sql``} ${end})`;
  if (name === 'available') {
    const into = sql`case when kind = 'ripening' then 'ripened' else 'payout_returned' end`;
    return sql`${side('to', into, isPayableIn)} union all ${side('from', sql`'payout'::text`, isPayableOut)}`;
  }
  const out = sql`case when kind = 'ripening' then 'ripened' else 'returned' end`;
  return sql`${side('to', sql`'earned'::text`, isEarned)} union all ${side('from', out, isEarningOut)}`;
}
