import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { perRow } from '@/db/per-row';
import { type IdRange, readIdPage } from '@/db/read-id-page';
import type { Reading } from '@/db/replicas';
import { accountKinds, transferKinds } from '@/db/schema/ledger';
import { linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { isLate, placements } from '@/db/schema/placements';
import { users } from '@/db/schema/users';
import type { PageRequest } from '@/lib/id-cursor';
import { allFlows } from '@/lib/ledger/moves';
import { type Period, wasDueIn, wasLostIn } from './marketplace-figures';
import { findMoneyAccount, shiftDay, signOf, startOf } from './money-figures';

const entry = z.object({
  id: z.string(),
  at: z.coerce.date(),
  kind: z.enum(transferKinds),
  fromKind: z.enum(accountKinds),
  toKind: z.enum(accountKinds),
  note: z.string(),
  method: z.string(),
  orderId: z.number().nullable(),
  isOrderDeleted: z.boolean(),
  /** The user whose account the money moved from or to; null for none. */
  user: z.string().nullable(),
  /** Signed, in minor units of the currency. */
  cents: z.coerce.number(),
});
export type MoneyEntry = z.output<typeof entry>;

const sumsRow = z.object({ before: z.coerce.number(), within: z.coerce.number(), count: z.coerce.number() });

type EntriesOf = {
  /** One of `transferFigures`. */
  figure: string;
  currency: string;
  period: Period;
};

/**
 * Returns the sums of a figure: what it was before the period, what moved in it, and the number of transfers. For an
 * account, the first two add up to its balance at the end of the period; another figure is what moved.
 */
export async function sumEntries({ figure, currency, period: { from, to } }: EntriesOf, on: Reading = db()) {
  const rows = await on.execute(sql`
    select coalesce(sum(cents) filter (where day < ${from}::date), 0) as before,
      coalesce(sum(cents) filter (where day >= ${from}::date), 0) as within,
      coalesce(sum(entries) filter (where day >= ${from}::date), 0) as count
    from (
      select day, entries, ${signOf(figure)} * amount_cents as cents
      from (${allFlows}) as flows where currency = ${currency} and day <= ${to}::date and ${signOf(figure)} <> 0
    ) as moves`);
  return sumsRow.parse(rows[0]);
}

/** Lists the transfers that a figure is the sum of, the newest first. */
export const listEntries = (of: EntriesOf, page: PageRequest, on: Reading = db()) =>
  readIdPage(sql`id`, page, (range) => readEntries(of, range, on));

async function readEntries({ figure, currency, period: { from, to } }: EntriesOf, range: IdRange, on: Reading) {
  const rows = await on.execute(sql`
    with moves as not materialized (
      select t.id, t.created_at, t.kind, t.note, t.method, t.order_id, t.amount_cents, f.kind as from_kind,
        f.owner as from_owner, g.kind as to_kind, g.owner as to_owner
      from ledger.transfers t
      join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
      where t.created_at >= ${startOf(from)} and t.created_at < ${startOf(shiftDay(to, 1))}
        and t.currency = ${currency} ${isOfAccount(figure)}
    ),
    page as (
      select * from moves where ${signOf(figure)} <> 0 ${range.where ? sql`and ${range.where}` : sql``}
      order by ${range.orderBy} limit ${range.limit} offset ${range.offset}
    )
    select page.id, page.created_at as at, page.kind, from_kind as "fromKind", to_kind as "toKind", note, method,
      order_id as "orderId",
      exists (select from public.orders o where o.id = page.order_id and o.deleted_at is not null) as "isOrderDeleted",
      ${signOf(figure)} * amount_cents as cents,
      coalesce(nullif(u.name, ''), u.email) as "user"
    from page left join (select id, name, email from public.accounts) u on u.id in (from_owner, to_owner)
    order by page.${range.orderBy}`);
  return z.array(entry).parse(rows);
}

/** Limits the transfers to those of a few accounts, along their indexes. Accounts of users are many: their kind decides. */
function isOfAccount(figure: string): SQL {
  const account = findMoneyAccount(figure);
  if (!account || ['wallet', 'receivable', 'seller_pending', 'seller_payable'].includes(account.kind)) return sql``;
  const { kind, owner } = account;
  const ids = sql`array(select id from ledger.accounts
    where kind = ${kind} ${owner === null ? sql`` : sql`and owner = ${owner}`})`;
  return sql`and (t.from_account = any(${ids}) or t.to_account = any(${ids}))`;
}

/** The figures whose list are orders. */
export const orderFigures = ['late', 'lost'] as const;
export type OrderFigure = (typeof orderFigures)[number];

/** Lists the orders whose delivery was late, or whose link was lost, in a period, the newest order first. */
export async function listFigureOrders(figure: OrderFigure, period: Period, page: PageRequest, on: Reading = db()) {
  const isShown =
    figure === 'late'
      ? and(wasDueIn(period), isLate(sql`${placements}`), perRow(isNull(orders.deletedAt)))
      : and(wasLostIn(period), perRow(isNull(orders.deletedAt)));
  const source =
    figure === 'late'
      ? { at: placements.deliveryDueAt, doneAt: placements.deliveredAt }
      : { at: linkWatches.endedAt, doneAt: sql<null>`null` };
  const read = ({ where, orderBy, limit, offset }: IdRange) =>
    on
      .select({ id: orders.id, website: orders.website, seller: users.name, sellerEmail: users.email, ...source })
      .from(orders)
      .leftJoin(placements, eq(placements.orderId, orders.id))
      .leftJoin(linkWatches, eq(linkWatches.orderId, orders.id))
      .leftJoin(users, eq(users.id, placements.sellerId))
      .where(and(isShown, where))
      .orderBy(orderBy ?? desc(orders.id))
      .limit(limit)
      .offset(offset);
  return readIdPage(orders.id, page, read);
}
