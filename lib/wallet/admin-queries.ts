import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { transferKinds } from '../../db/schema/ledger';
import type { Page } from '../http/pagination';
import { walletCurrency } from '../money';
import { providerNames } from '../payments/names';
import type { AdminTransactionsQuery } from './admin-schemas';
import type { AdminTransactionRow } from './admin-views';

const row = z
  .object({
    id: z.string(),
    user_id: z.string(),
    user_name: z.string(),
    user_email: z.string(),
    kind: z.enum(transferKinds).nullable(),
    type: z.enum(['credit', 'debit']),
    amount_cents: z.coerce.number().int(),
    status: z.enum(['Completed', 'Pending']),
    method: z.string(),
    note: z.string(),
    created_at: z.string(),
    order_id: z.number().int().nullable(),
    topup_id: z.string().nullable(),
    mode: z.string().nullable(),
  })
  .transform(({ user_id, user_name, user_email, amount_cents, created_at, order_id, topup_id, ...same }) => ({
    ...same,
    userId: user_id,
    userName: user_name,
    userEmail: user_email,
    amountCents: amount_cents,
    createdAt: created_at,
    orderId: order_id,
    topupId: topup_id,
  }));

/**
 * Everybody's wallet transactions, newest first: the transfers from the side of each wallet, and the top-ups still
 * pending. What was deleted and its counter-entry are left out (decision 12). Ids begin with the time they were made,
 * so a page without a filter reads only the ends of three indexes.
 * @param query `limit` null: all of them
 * @returns the rows of the page, and how many there are in all
 */
export async function listAllTransactions({
  q,
  userId,
  limit,
  offset,
}: Pick<AdminTransactionsQuery, 'q' | 'userId' | 'limit' | 'offset'>): Promise<Page<AdminTransactionRow>> {
  const text = q.trim();
  const filters = [
    ...(userId ? [sql`u.id = ${userId}`] : []),
    ...(text === '' ? [] : [sql`position(lower(${text}) in ${searchText}) > 0`]),
  ];
  const isFiltered = filters.length > 0;
  const where = isFiltered ? sql`where ${sql.join(filters, sql` and `)}` : sql``;
  const [found, counted] = await Promise.all([
    db().execute(sql`
      with ${linesUpTo(isFiltered || limit === null ? null : limit + offset)}
      select l.id, u.id as user_id, u.name as user_name, u.email as user_email, l.kind, l.type, l.amount_cents,
        l.status, l.method, l.note, l.order_id, l.topup_id, l.mode,
        to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at
      from lines l ${joins} ${where}
      order by l.id desc, l.type
      limit ${limit} offset ${offset}`),
    isFiltered
      ? db().execute(sql`with ${linesUpTo(null)} select count(*)::int as total from lines l ${joins} ${where}`)
      : countTransactions(),
  ]);
  return {
    rows: z.array(row).parse(found),
    total: typeof counted === 'number' ? counted : totalRow.parse(counted[0]).total,
  };
}

const totalRow = z.object({ total: z.number() });

/** How many wallet transactions there are: those of `listAllTransactions` without a filter. */
export async function countTransactions(): Promise<number> {
  const rows = await db().execute(sql`
    select (
      (select count(from_version) + count(to_version) from ledger.transfers where reverses_id is null)
      - (select count(t.from_version) + count(t.to_version)
         from ledger.transfers undone join ledger.transfers t on t.id = undone.reverses_id
         where t.reverses_id is null)
      + (select count(*) from public.topups where status = 'pending')
    )::int as total`);
  return totalRow.parse(rows[0]).total;
}

/**
 * The CTE `lines`: what stands, from each wallet's side (only wallets have versions), and the intents that wait.
 * @param most as many of each part are enough for the page; null for all
 */
function linesUpTo(most: number | null) {
  const end = most === null ? sql`` : sql`order by id desc limit ${most}`;
  const side = (version: string, account: string, type: string) => sql`(
    select id, ${sql.raw(account)} as account, null::text as owner, kind, ${type}::text as type, amount_cents,
      'Completed' as status, method, note, created_at, order_id, meta->>'topupId' as topup_id,
      nullif(meta->>'mode', 'live') as mode
    from ledger.transfers t
    where ${sql.raw(version)} is not null and reverses_id is null
      and not exists (select from ledger.transfers undone where undone.reverses_id = t.id)
    ${end})`;
  return sql`lines as (
    ${side('from_version', 'from_account', 'debit')}
    union all ${side('to_version', 'to_account', 'credit')}
    union all (
      select id, null, user_id, null, 'credit', amount_cents, 'Pending', ${providerName}, 'Waiting for the payment',
        created_at, null, id, nullif(mode, 'live')
      from public.topups where status = 'pending' ${end})
  )`;
}

const joins = sql`
  left join ledger.accounts a on a.id = l.account
  join public.users u on u.id = coalesce(a.owner, l.owner)`;

const providerName = sql`case provider ${sql.join(
  Object.entries(providerNames).map(([name, label]) => sql`when ${name} then ${label}`),
  sql` `,
)} end`;

/**
 * The 8 fields of spec 001, "Wallet screen details", and whose wallet it is. A line feed keeps a search from matching
 * across two fields.
 */
const searchText = sql`lower(concat_ws(E'\n',
  u.name, u.email, l.id, l.type, l.status, l.method, l.note,
  to_char(l.amount_cents / 100.0, 'FM$999,999,999,999,990.00'), to_char(l.amount_cents / 100.0, 'FM999999999999990.00'),
  to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'),
  to_char(l.created_at at time zone 'UTC', 'FMMon FMDD, YYYY')))`;

/** What all wallets hold together, in USD cents. */
export async function sumOfWallets(): Promise<number> {
  const rows = await db().execute(sql`
    select coalesce(sum(balance_cents), 0) as cents from ledger.accounts
    where kind = 'wallet' and currency = ${walletCurrency}`);
  return z.object({ cents: z.coerce.number().int() }).parse(rows[0]).cents;
}
