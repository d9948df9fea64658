import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';
import { walletCurrency } from '../money';
import type { Page } from '../platform/http/fields';
import { containsText, topupMethod, transactionColumns, transactionRow, transactionTexts } from './transaction-row';
import type { WalletTransactionRow } from './views';

type ListOptions = {
  limit: number;
  offset?: number;
  /** Case-insensitive substring of id, type, status, method, note, amount, creation time or date. */
  q?: string;
};

const totalRow = z.object({ total: z.number() });

/**
 * Lists a user's wallet transactions, newest first: transfers from the wallet's side, and pending top-ups. A deleted
 * transaction and its counter-entry are left out.
 * @returns the rows of the page and the total count
 */
export async function listWalletTransactions(
  userId: string,
  { limit, offset = 0, q = '' }: ListOptions,
): Promise<Page<WalletTransactionRow>> {
  const text = q.trim();
  const where = text === '' ? sql`` : sql`where ${containsText(text, transactionTexts)}`;
  const [found, counted] = await Promise.all([
    db().execute(sql`
      with ${linesCte(userId)}
      select ${transactionColumns}, ${userId}::text as "userId"
      from lines l ${where}
      order by l.created_at desc, l.id desc
      limit ${limit} offset ${offset}`),
    db().execute(sql`with ${linesCte(userId)} select count(*)::int as total from lines l ${where}`),
  ]);
  return { rows: z.array(transactionRow).parse(found), total: totalRow.parse(counted[0]).total };
}

/** The CTE `lines` of one user: transfers that were not deleted, and pending top-ups. */
const linesCte = (userId: string) => sql`
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
    select id, 'credit', amount_cents, 'Pending', ${topupMethod}, 'Waiting for the payment', created_at, null,
      id, nullif(mode, 'live')
    from public.topups where user_id = ${userId} and status = 'pending'
  )`;
