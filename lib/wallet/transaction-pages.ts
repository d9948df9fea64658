import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { type CappedCount, countCap, countUpTo, searchCountCap } from '@/db/count-up-to';
import { perRow } from '@/db/per-row';
import { type IdRange, readIdPage } from '@/db/read-id-page';
import type { CursorPage, PageRequest } from '@/lib/id-cursor';
import { sellerTransferKinds } from '@/lib/ledger/routes';
import { walletCurrency } from '@/lib/money';
import { providerNames } from '@/lib/payments/providers/names';
import { isMatchingAccount } from '@/lib/users/search-accounts';
import { matchTransfers, type TransferScope } from './transaction-search';

/** A row of a wallet: a transfer from the wallet's side, or a pending top-up. */
export const transactionRow = z.object({
  id: z.string(),
  userId: z.string(),
  type: z.enum(['credit', 'debit']),
  /** Integer USD cents, never negative; `type` gives the direction. */
  amountCents: z.coerce.number().int(),
  status: z.enum(['Completed', 'Pending']),
  method: z.string(),
  note: z.string(),
  /** ISO 8601 in UTC. */
  createdAt: z.string(),
  orderId: z.number().int().nullable(),
  topupId: z.string().nullable(),
  /** The provider's mode unless it was live; then no real money moved. */
  mode: z.string().nullable(),
});

/** The columns of `transactionRow`, except the user, from a CTE `lines l`. */
const transactionColumns = sql`
  l.id, l.type, l.amount_cents as "amountCents", l.status, l.method, l.note, l.order_id as "orderId",
  l.topup_id as "topupId", l.mode,
  to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt"`;

/**
 * The eight searchable fields of a row of the CTE `lines l`, as the user sees them: the amount as "$1,234.50" and as
 * "1234.50", the date as in the table and as in the API.
 */
const transactionTexts = sql`
  l.id, l.type, l.status, l.method, l.note,
  to_char(l.amount_cents / 100.0, 'FM$999,999,999,999,990.00'), to_char(l.amount_cents / 100.0, 'FM999999999999990.00'),
  to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'),
  to_char(l.created_at at time zone 'UTC', 'FMMon FMDD, YYYY')`;

/**
 * Returns the condition that the text is a case-insensitive substring of one of the fields. The line feed prevents a
 * match across two fields.
 */
const containsText = (text: string, texts: typeof transactionTexts) =>
  sql`position(lower(${text}) in lower(concat_ws(E'\n', ${texts}))) > 0`;

/** The method of a pending top-up: the provider's display name. */
const topupMethod = sql`case provider ${sql.join(
  Object.entries(providerNames).map(([name, label]) => sql`when ${name} then ${label}`),
  sql` `,
)} end`;

export type TransactionReader = Pick<Executor, 'execute' | 'select'>;

/** The transactions of one wallet or of all, and the search. */
export type TransactionScope = {
  /** The owner of the wallet, and its account; null before its first transfer. */
  wallet?: { ownerId: string; accountId: number | null } | undefined;
  text: string;
  /** The accounts that the text matches; 'many' if their transactions are found while reading the list. */
  matched: string[] | 'many';
};

const accountRow = z.object({ id: z.coerce.number() });

export async function findWallet(ownerId: string, on: TransactionReader = db()) {
  const [row] = await on.execute(sql`
    select id from ledger.accounts where kind = 'wallet' and owner = ${ownerId} and currency = ${walletCurrency}`);
  return { ownerId, accountId: row ? accountRow.parse(row).id : null };
}

/** Counts the transactions up to a cap; of a search earlier, because it may read many transfers that do not match. */
export const countTransactionsUpTo = (scope: TransactionScope, on?: TransactionReader): Promise<CappedCount> =>
  countUpTo((limit) => selectIds(scope, { limit }), on, scope.text === '' ? countCap : searchCountCap);

/**
 * Reads a page of transactions, newest first: by id, which starts with the time of creation. A deleted transaction and
 * its counter-entry are left out.
 * @param row the schema of the rows
 * @param columns further columns; `l` is the transaction, `u` its account
 */
export const getTransactionPage = <Row extends { id: string }>(
  scope: TransactionScope,
  page: PageRequest,
  shape: { row: z.ZodType<Row>; columns?: SQL },
): Promise<CursorPage<Row>> => readIdPage(sql`id`, page, (range) => listTransactions(scope, range, shape));

/** Reads the transactions of a range. */
export async function listTransactions<Row>(
  scope: TransactionScope,
  range: IdRange,
  { row, columns = sql`` }: { row: z.ZodType<Row>; columns?: SQL },
  on: TransactionReader = db(),
): Promise<Row[]> {
  const rows = await on.execute(sql`
    with page as materialized ${selectIds(scope, range)},
    lines as (
      ${side(scope, 'from', 'debit')}
      union all ${side(scope, 'to', 'credit')}
      union all
      select id, null, topups.account_id, null, 'credit', amount_cents, 'Pending', ${topupMethod},
        'Waiting for the payment', created_at, null, id, nullif(mode, 'live')
      from page join public.topups using (id)
    )
    select ${transactionColumns}, u.id as "userId"${columns}
    from lines l left join ledger.accounts a on a.id = l.account join public.accounts u on u.id = coalesce(a.owner, l.owner)
    order by ${range.orderBy}, l.type`);
  return z.array(row).parse([...rows]);
}

/** Returns the transfers of a page from the side of a wallet. */
const side = ({ wallet }: TransactionScope, name: 'from' | 'to', type: 'debit' | 'credit') => sql`
  select id, ${sql.raw(name)}_account as account, null::text as owner, kind, ${type}::text as type, amount_cents,
    'Completed' as status, method, note, created_at, order_id, meta->>'topupId' as topup_id,
    nullif(meta->>'mode', 'live') as mode
  from page join ledger.transfers using (id)
  where ${isSide(wallet, name)}`;

const isSide = (wallet: TransactionScope['wallet'], name: 'from' | 'to') =>
  wallet
    ? sql`transfers.${sql.raw(name)}_account = ${wallet.accountId}::bigint`
    : sql`transfers.${sql.raw(name)}_version is not null and ${ofWallets}`;

/** Wallets and accounts of sellers have versions; this leaves out transfers of sellers. */
const ofWallets = sql`transfers.kind not in (${sql.join(
  sellerTransferKinds.map((kind) => sql`${kind}`),
  sql`, `,
)})`;

/** A transfer that was neither deleted nor the counter-entry of a deleted one. */
const isShown = sql`transfers.reverses_id is null
  and not exists (
    select from ledger.transfers undone where undone.reverses_id = transfers.id and undone.reverses_id is not null)`;

/** The same by the id alone, so that a wallet is counted in its index without reading the rows. */
const isShownById = sql`not exists (
    select from ledger.transfers undone where undone.reverses_id = transfers.id and undone.reverses_id is not null)
  and not exists (
    select from ledger.transfers counter where counter.id = transfers.id and counter.reverses_id is not null)`;

type IdsRange = Partial<IdRange> & { limit: number };
type SelectTransfers = (part: { from?: SQL; where: SQL }) => SQL;

/**
 * Returns the ids of a range of transactions: a union of lists in the same order, each read along its own index and
 * only as far as the range.
 */
function selectIds({ wallet, text, matched }: TransactionScope, range: IdsRange): SQL {
  const { where: inRange, orderBy = sql`id desc`, offset = 0, limit } = range;
  // The count of a search is ordered, too: without an order, the planner may scan whole tables for rare matches.
  const order = range.orderBy || text !== '' ? sql`order by ${orderBy}` : sql``;
  const end = sql`${inRange ? sql`and ${inRange}` : sql``} ${order} limit ${limit + offset}`;
  // A count needs no order: it stops at the first users.
  const cut = sql`${range.orderBy ? sql`order by ${orderBy}` : sql``} limit ${limit + offset}`;
  // A page reads few transfers, most of which are shown; a count and a search may read many.
  const shown = range.orderBy && text === '' ? perRow(isShown) : wallet && text === '' ? isShownById : isShown;
  const transfers: SelectTransfers = ({ from = sql`ledger.transfers`, where }) =>
    sql`(select id from ${from} where ${where} and ${shown} ${end})`;
  const scopes: TransferScope[] = wallet
    ? [
        { where: isSide(wallet, 'from'), wallet: { ownerId: wallet.ownerId, type: 'debit' } },
        { where: isSide(wallet, 'to'), wallet: { ownerId: wallet.ownerId, type: 'credit' } },
      ]
    : [
        {
          where: sql`(transfers.from_version is not null or transfers.to_version is not null) and ${ofWallets}`,
          wallet: null,
        },
      ];
  const isPending = sql`status = 'pending' ${wallet ? sql`and account_id = ${wallet.ownerId}` : sql``}`;
  const lists =
    text === ''
      ? [...scopes.map(transfers), sql`(select id from public.topups where ${isPending} ${end})`]
      : [
          ...scopes.flatMap((scope) => matchTransfers(text, scope).map(transfers)),
          // Pending top-ups are few.
          sql`(select id from (
            select id, 'credit' as type, 'Pending' as status, ${topupMethod} as method,
              'Waiting for the payment' as note, amount_cents, created_at
            from public.topups where ${isPending}
          ) as l where ${containsText(text, transactionTexts)} ${end})`,
          ...(wallet ? [] : selectOfAccounts({ text, matched }, transfers, { end, cut })),
        ];
  const all = sql.join(lists, text === '' ? sql` union all ` : sql` union `);
  return sql`(select id from (${all}) as found ${order} limit ${limit} offset ${offset})`;
}

/** Returns the transactions of the accounts that a text matches. */
function selectOfAccounts(
  { text, matched }: Pick<TransactionScope, 'text' | 'matched'>,
  transfers: SelectTransfers,
  { end, cut }: { end: SQL; cut: SQL },
): SQL[] {
  if (matched === 'many') {
    const ownerMatches = (name: 'from' | 'to') => ({
      where: sql`${isSide(undefined, name)} and exists (
      select from ledger.accounts wallets
      where wallets.id = transfers.${sql.raw(name)}_account and ${isMatchingAccount(sql`wallets.owner`, text)})`,
    });
    return [
      transfers(ownerMatches('from')),
      transfers(ownerMatches('to')),
      sql`(select id from public.topups where status = 'pending' and ${isMatchingAccount(sql`topups.account_id`, text)}
        ${end})`,
    ];
  }
  if (matched.length === 0) return [];
  const owners = sql`unnest(${sql.param(matched)}::text[])`;
  return [
    sql`(select found.id from ledger.accounts wallets cross join lateral (
        ${transfers({ where: sql`transfers.from_account = wallets.id` })}
        union all ${transfers({ where: sql`transfers.to_account = wallets.id` })}
      ) as found
      where wallets.kind = 'wallet' and wallets.currency = ${walletCurrency} and wallets.owner in (select ${owners})
      ${cut})`,
    sql`(select id from public.topups where status = 'pending' and account_id in (select ${owners}) ${end})`,
  ];
}
