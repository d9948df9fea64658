import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { transferKinds } from '../../db/schema/ledger';
import type { Page } from '../http/pagination';
import { walletCurrency } from '../money';
import type { AdminTransactionsQuery } from './admin-schemas';
import type { AdminTransactionRow } from './admin-views';
import { occursIn, topupMethod, transactionColumns, transactionRow, transactionTexts } from './transaction-row';

const row = transactionRow.extend({
  userName: z.string(),
  userEmail: z.string(),
  kind: z.enum(transferKinds).nullable(),
});

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
    ...(text === '' ? [] : [occursIn(text, sql`u.name, u.email, ${transactionTexts}`)]),
  ];
  const isFiltered = filters.length > 0;
  const where = isFiltered ? sql`where ${sql.join(filters, sql` and `)}` : sql``;
  const [found, counted] = await Promise.all([
    db().execute(sql`
      with ${linesUpTo(isFiltered || limit === null ? null : limit + offset)}
      select ${transactionColumns}, u.id as "userId", u.name as "userName", u.email as "userEmail", l.kind
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
      select id, null, user_id, null, 'credit', amount_cents, 'Pending', ${topupMethod}, 'Waiting for the payment',
        created_at, null, id, nullif(mode, 'live')
      from public.topups where status = 'pending' ${end})
  )`;
}

const joins = sql`
  left join ledger.accounts a on a.id = l.account
  join public.users u on u.id = coalesce(a.owner, l.owner)`;

/** What all wallets hold together, in USD cents. */
export async function sumOfWallets(): Promise<number> {
  const rows = await db().execute(sql`
    select coalesce(sum(balance_cents), 0) as cents from ledger.accounts
    where kind = 'wallet' and currency = ${walletCurrency}`);
  return z.object({ cents: z.coerce.number().int() }).parse(rows[0]).cents;
}
