import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import type { Page } from '../http/pagination';
import { walletCurrency } from '../money';
import { providerNames } from '../payments/names';
import type { WalletTransactionRow } from './views';

type ListOptions = {
  limit: number;
  offset?: number;
  /** Any part, in any case, of id, type, status, method, note, amount, created date or date-only text. */
  q?: string;
};

const row = z
  .object({
    id: z.string(),
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
  .transform(({ amount_cents, created_at, order_id, topup_id, ...same }) => ({
    ...same,
    amountCents: amount_cents,
    createdAt: created_at,
    orderId: order_id,
    topupId: topup_id,
  }));
const totalRow = z.object({ total: z.number() });

/**
 * A person's wallet, newest first: the transfers from the wallet's own side, and the top-ups still pending. A deleted
 * transaction and the reversal that undid it are both left out (decision 12).
 * @returns the rows of the page, and how many there are in all
 */
export async function listWalletTransactions(
  userId: string,
  { limit, offset = 0, q = '' }: ListOptions,
): Promise<Page<WalletTransactionRow>> {
  const text = q.trim();
  const where = text === '' ? sql`` : sql`where position(lower(${text}) in ${searchText}) > 0`;
  const [found, counted] = await Promise.all([
    db().execute(sql`
      with ${linesOf(userId)}
      select id, type, amount_cents, status, method, note, order_id, topup_id, mode,
        to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created_at
      from lines ${where}
      order by lines.created_at desc, id desc
      limit ${limit} offset ${offset}`),
    db().execute(sql`with ${linesOf(userId)} select count(*)::int as total from lines ${where}`),
  ]);
  return {
    rows: z
      .array(row)
      .parse(found)
      .map((line) => ({ ...line, userId })),
    total: totalRow.parse(counted[0]).total,
  };
}

/** The CTE `lines` of one person: transfers that stand, and intents that wait. */
const linesOf = (userId: string) => sql`
  wallet as (
    select id from ledger.accounts where kind = 'wallet' and owner = ${userId} and currency = ${walletCurrency}
  ),
  lines as (
    select t.id, case when t.from_account = wallet.id then 'debit' else 'credit' end as type, t.amount_cents,
      'Completed' as status, t.method, t.note, t.created_at, t.order_id, t.meta->>'topupId' as topup_id,
      nullif(t.meta->>'mode', 'live') as mode
    from wallet join ledger.transfers t on wallet.id in (t.from_account, t.to_account)
    where t.reverses_id is null
      and not exists (select from ledger.transfers undone where undone.reverses_id = t.id)
    union all
    select id, 'credit', amount_cents, 'Pending', ${providerName}, 'Waiting for the payment', created_at, null,
      id, nullif(mode, 'live')
    from public.topups where user_id = ${userId} and status = 'pending'
  )`;

/** The method of a pending top-up: the provider as people know it. */
const providerName = sql`case provider ${sql.join(
  Object.entries(providerNames).map(([name, label]) => sql`when ${name} then ${label}`),
  sql` `,
)} end`;

/**
 * The 8 fields of spec 001, "Wallet screen details", as a person may know them: the amount as "$1,234.50" and as
 * "1234.50", the date as in the table and as in the API. A line feed keeps a search from matching across two fields.
 */
const searchText = sql`lower(concat_ws(E'\n',
  id, type, status, method, note,
  to_char(amount_cents / 100.0, 'FM$999,999,999,999,990.00'), to_char(amount_cents / 100.0, 'FM999999999999990.00'),
  to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'),
  to_char(created_at at time zone 'UTC', 'FMMon FMDD, YYYY')))`;
