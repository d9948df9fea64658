import { type SQL, sql } from 'drizzle-orm';
import { isPartialRefund, transferSearchText } from '@/db/schema/ledger';
import { orderSearchText } from '@/db/schema/orders';
import { textContains } from '@/db/search';
import { parseMoney } from '@/lib/money';
import { listSpellings, normalizeSearch } from '@/lib/network/search-words';

export type TransferScope = {
  /** The condition on `ledger.transfers`. */
  where: SQL;
  /** The owner of the wallet, and its side; null for all wallets. */
  wallet: { ownerId: string; type: 'debit' | 'credit' } | null;
};

/** A part of the transfers that match: `from` is a table or subquery named `transfers`. */
type Part = { from?: SQL; where: SQL };

/**
 * Returns the parts of `ledger.transfers` that together hold what a search matches, each found by its own index or
 * frequent enough to be found while reading the list, so that a search does not read every transfer. A number, an
 * amount or a date is parsed and compared by value: "12" finds order #12 and $12.00, not every text that contains "12".
 * The transfer of an order is found by the order's website, package, project and live link.
 * @param text the trimmed text, not empty
 */
export function matchTransfers(text: string, { where, wallet }: TransferScope): Part[] {
  const lower = text.toLowerCase();
  if ('completed'.includes(lower) || wallet?.type.includes(lower)) return [{ where }];
  const id = /^…?([0-9a-z]{8,26})$/.exec(lower)?.[1];
  const amount = parseAmount(text);
  const orderNumber =
    /^(?:(?:(?:reversed |partial )?refund of |(?:returned )?tax of )?(?:(?:the )?paid change of |longer guarantee of )?order )?#?(\d{1,9})(?::|$)/.exec(
      lower,
    )?.[1];
  return [
    ...[
      ...(wallet ? [] : types).flatMap(([word, condition]) => (word.includes(lower) ? [condition] : [])),
      ...orderNotes.flatMap(({ start, type, condition }) =>
        start.includes(lower) && type === (wallet?.type ?? type) ? [condition] : [],
      ),
      ...(orderNumber ? [sql`transfers.order_id = ${Number(orderNumber)}::int`] : []),
      ...(amount === null ? [] : [sql`transfers.amount_cents = ${amount}::bigint`]),
      ...(id ? [sql`right(transfers.id, 8) = ${id.slice(-8)} and transfers.id like ${`%${id}`}`] : []),
    ].map((condition) => ({ where: sql`${where} and ${condition}` })),
    ...matchTexts(text, { where, wallet }),
    ...matchPeriod(text, where),
  ];
}

function matchTexts(text: string, { where, wallet }: TransferScope): Part[] {
  const isInTexts = textContains(transferSearchText, text);
  if (text.length < 3) {
    // Trigram indexes do not cover one or two characters: the newest transfers are searched.
    const from = sql`(select * from ledger.transfers where ${where} order by id desc limit 10000) as transfers`;
    return [{ from, where: isInTexts }];
  }
  // Most debits of a wallet are orders. The others are found first: the planner expects more of them.
  const isDebit = sql`transfers.id = any(array(select id from ledger.transfers where ${where} and order_id is null))`;
  const ofBuyer = wallet ? sql`and orders.account_id = ${wallet.ownerId}` : sql``;
  const ofOrders = sql`select orders.id from public.orders where ${textContains(orderSearchText, ...listSpellings(normalizeSearch(text)))} ${ofBuyer}`;
  return [
    { where: sql`${wallet?.type === 'debit' ? isDebit : where} and transfers.order_id is null and ${isInTexts}` },
    { where: sql`${where} and transfers.order_id in (${ofOrders})` },
  ];
}

const types: readonly [word: string, condition: SQL][] = [
  ['debit', sql`transfers.from_version is not null`],
  ['credit', sql`transfers.to_version is not null`],
];

/** The method and the beginning of the note of an order's transfers (lib/orders), of which there are many. */
const orderNotes: readonly { start: string; type: 'debit' | 'credit'; condition: SQL }[] = [
  { start: 'wallet\norder #', type: 'debit', condition: sql`transfers.kind = 'order'` },
  {
    start: 'wallet\npaid change of order #',
    type: 'debit',
    condition: sql`transfers.kind = 'order' and starts_with(transfers.key, 'change:')`,
  },
  {
    start: 'wallet\nlonger guarantee of order #',
    type: 'debit',
    condition: sql`transfers.kind = 'order' and starts_with(transfers.key, 'extension:')`,
  },
  { start: 'wallet\nrefund of order #', type: 'credit', condition: sql`transfers.kind = 'order_refund'` },
  {
    start: 'wallet\nrefund of the paid change of order #',
    type: 'credit',
    condition: sql`transfers.kind = 'order_refund' and starts_with(transfers.key, 'change:')`,
  },
  { start: 'wallet\npartial refund of order #', type: 'credit', condition: isPartialRefund },
  { start: 'wallet\nreversed refund of order #', type: 'debit', condition: sql`transfers.kind = 'order_recharge'` },
  { start: 'wallet\ntax of order #', type: 'debit', condition: sql`transfers.kind = 'tax'` },
  { start: 'wallet\nreturned tax of order #', type: 'credit', condition: sql`transfers.kind = 'tax_refund'` },
];

/** Parses an amount as it is shown, "$1,234.50", or without "$" and commas; null for another text. */
function parseAmount(text: string): number | null {
  return /^\$?(?:\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.\d{1,2})?$/.test(text) ? parseMoney(text.replace(/[$,]/g, '')) : null;
}

/** Returns the transfers of a period by the index on the time: the planner would read by id from the newest. */
function matchPeriod(text: string, where: SQL): Part[] {
  const period = parsePeriod(text);
  if (period === null) return [];
  const from = sql`(
    select * from ledger.transfers
    where ${where} and created_at >= ${period.from}::timestamptz and created_at < ${period.to}::timestamptz
    order by id desc offset 0
  ) as transfers`;
  return [{ from, where: sql`true` }];
}

/** A range of time; the end is exclusive. */
type Period = { from: string; to: string };

/** Parses the beginning of an ISO 8601 time in UTC, from the month to the second, or a date like "Nov 3, 2026". */
function parsePeriod(text: string): Period | null {
  const shown = /^([a-z]{3}) (\d{1,2}), (\d{4})$/i.exec(text);
  if (shown) return toPeriod(Date.parse(`${text} UTC`), 86_400_000);
  const iso = /^(\d{4}-\d{2})(?:-(\d{2})(?:T(?:(\d{2})(?::(\d{2})(?::(\d{2}))?)?)?)?)?$/i.exec(text);
  if (!iso) return null;
  const [, month, day, hour, minute, second] = iso;
  const from = Date.parse(`${month}-${day ?? '01'}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}Z`);
  if (!day && !Number.isNaN(from)) {
    const start = new Date(from);
    return toPeriod(from, Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1) - from);
  }
  return toPeriod(from, second ? 1_000 : minute ? 60_000 : hour ? 3_600_000 : 86_400_000);
}

/** Years that no transfer has are not searched: PostgreSQL has no year 0, and reads no year above 9999 in this format. */
const searchedTimes = { from: Date.UTC(1970, 0), to: Date.UTC(3000, 0) };

/** Returns null for an invalid time. */
function toPeriod(from: number, milliseconds: number): Period | null {
  if (!(from >= searchedTimes.from && from < searchedTimes.to)) return null;
  return { from: new Date(from).toISOString(), to: new Date(from + milliseconds).toISOString() };
}
