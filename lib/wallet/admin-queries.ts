import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '../../db/client';
import { transferKinds } from '../../db/schema/ledger';
import { walletCurrency } from '../money';
import type { Page } from '../platform/http/fields';
import type { AdminTransactionsQuery } from './admin-schemas';
import type { AdminTransactionRow } from './admin-views';
import { containsText, topupMethod, transactionColumns, transactionRow, transactionTexts } from './transaction-row';

const row = transactionRow.extend({
  userName: z.string(),
  userEmail: z.string(),
  kind: z.enum(transferKinds).nullable(),
});

type Reader = Pick<Executor, 'execute'>;
type TransactionFilter = Pick<AdminTransactionsQuery, 'q' | 'userId'>;

/**
 * Lists the wallet transactions of all users, newest first: transfers from the side of each wallet, and pending
 * top-ups. A deleted transaction and its counter-entry are left out. Ids are ordered by creation time, so a page
 * without a filter reads only the ends of three indexes.
 * @returns the rows of the page and the total count
 */
export async function listAllTransactions({
  limit,
  offset,
  ...filter
}: TransactionFilter & { limit: number; offset: number }): Promise<Page<AdminTransactionRow>> {
  const where = buildFilter(filter);
  const [rows, total] = await Promise.all([
    readRows(linesCte({ limit: where ? null : limit + offset }), where, sql`limit ${limit} offset ${offset}`),
    countFilteredTransactions(filter),
  ]);
  return { rows, total };
}

/** Counts the transactions that match a filter. */
export async function countFilteredTransactions(filter: TransactionFilter, on: Reader = db()): Promise<number> {
  const where = buildFilter(filter);
  if (!where) return countTransactions(on);
  const [counted] = await on.execute(
    sql`with ${linesCte({})} select count(*)::int as total from lines l ${joins} ${where}`,
  );
  return totalRow.parse(counted).total;
}

/**
 * Streams all matching transactions (`all=1`) in the same order, in batches, so that they are never all in memory.
 * @param options.on a snapshot for a consistent result; with the pool, each batch reads the current state
 * @param options.offset number of rows to skip
 * @param options.batchSize number of rows the filter is applied to at once
 */
export async function* streamTransactions(
  filter: TransactionFilter,
  { on = db(), offset = 0, batchSize = 1_000 }: { on?: Reader; offset?: number; batchSize?: number } = {},
): AsyncGenerator<AdminTransactionRow[]> {
  const where = buildFilter(filter);
  let below: string | null = null;
  let skipped = 0;
  do {
    const from: string | null = await findLastId(linesCte({ below, limit: batchSize }), batchSize, on);
    const rows = await readRows(linesCte({ from, below }), where, sql``, on);
    yield rows.slice(Math.max(0, offset - skipped));
    skipped += rows.length;
    below = from;
  } while (below !== null);
}

/** @returns null when there are fewer rows */
async function findLastId(lines: SQL, count: number, on: Reader): Promise<string | null> {
  const rows = await on.execute(sql`with ${lines} select id from lines order by id desc limit 1 offset ${count - 1}`);
  return z.array(row.pick({ id: true })).parse(rows)[0]?.id ?? null;
}

async function readRows(
  lines: SQL,
  where: SQL | undefined,
  page = sql``,
  on: Reader = db(),
): Promise<AdminTransactionRow[]> {
  const rows = await on.execute(sql`
    with ${lines}
    select ${transactionColumns}, u.id as "userId", u.name as "userName", u.email as "userEmail", l.kind
    from lines l ${joins} ${where}
    order by l.id desc, l.type
    ${page}`);
  return z.array(row).parse(rows);
}

/** Returns undefined when the filter matches every row. */
function buildFilter({ q, userId }: TransactionFilter): SQL | undefined {
  const text = q.trim();
  const filters = [
    ...(userId ? [sql`u.id = ${userId}`] : []),
    ...(text === '' ? [] : [containsText(text, sql`u.name, u.email, ${transactionTexts}`)]),
  ];
  return filters.length > 0 ? sql`where ${sql.join(filters, sql` and `)}` : undefined;
}

const totalRow = z.object({ total: z.number() });

/** Counts all wallet transactions: the rows of `listAllTransactions` without a filter. */
export async function countTransactions(on: Reader = db()): Promise<number> {
  const rows = await on.execute(sql`
    select (
      (select count(from_version) + count(to_version) from ledger.transfers where reverses_id is null)
      - (select count(t.from_version) + count(t.to_version)
         from ledger.transfers undone join ledger.transfers t on t.id = undone.reverses_id
         where t.reverses_id is null)
      + (select count(*) from public.topups where status = 'pending')
    )::int as total`);
  return totalRow.parse(rows[0]).total;
}

type Lines = {
  /** Row limit of each part of the union; null for all rows. */
  limit?: number | null;
  /** Id range: `from` is inclusive, `below` is exclusive. */
  from?: string | null;
  below?: string | null;
};

/**
 * The CTE `lines`: transfers that were not deleted, from each wallet's side (only wallets have versions), and pending
 * top-ups.
 */
function linesCte({ limit = null, from = null, below = null }: Lines): SQL {
  const within = sql.join(
    [
      ...(from === null ? [] : [sql`and id >= ${from}`]),
      ...(below === null ? [] : [sql`and id < ${below}`]),
      ...(limit === null ? [] : [sql`order by id desc limit ${limit}`]),
    ],
    sql` `,
  );
  const side = (version: string, account: string, type: string) => sql`(
    select id, ${sql.raw(account)} as account, null::text as owner, kind, ${type}::text as type, amount_cents,
      'Completed' as status, method, note, created_at, order_id, meta->>'topupId' as topup_id,
      nullif(meta->>'mode', 'live') as mode
    from ledger.transfers t
    where ${sql.raw(version)} is not null and reverses_id is null
      and not exists (select from ledger.transfers undone where undone.reverses_id = t.id)
      ${within})`;
  return sql`lines as (
    ${side('from_version', 'from_account', 'debit')}
    union all ${side('to_version', 'to_account', 'credit')}
    union all (
      select id, null, user_id, null, 'credit', amount_cents, 'Pending', ${topupMethod}, 'Waiting for the payment',
        created_at, null, id, nullif(mode, 'live')
      from public.topups where status = 'pending' ${within})
  )`;
}

const joins = sql`
  left join ledger.accounts a on a.id = l.account
  join public.users u on u.id = coalesce(a.owner, l.owner)`;

/** Returns the sum of all wallet balances in USD cents: of all transfers to wallets, less those from wallets. */
export async function getTotalWalletBalance(): Promise<number> {
  const rows = await db().execute(sql`
    select coalesce(sum(cents), 0) as cents from (
      select balance_cents as cents from kind_rollups where kind = 'wallet' and currency = ${walletCurrency}
      union all
      select case when a.id = t.to_account then t.amount_cents else -t.amount_cents end
      from ledger.transfers_since_rollup() t
      join ledger.accounts a on a.id in (t.from_account, t.to_account) and a.kind = 'wallet'
    ) as parts`);
  return z.object({ cents: z.coerce.number().int() }).parse(rows[0]).cents;
}
