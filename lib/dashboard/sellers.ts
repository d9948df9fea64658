import { getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { isLate, placements } from '@/db/schema/placements';
import { fulfilmentRecords } from '@/db/schema/records';
import { userStatuses, users } from '@/db/schema/users';
import { hasPermission } from '@/lib/access/authorize';
import type { Rights } from '@/lib/access/permissions';
import { toDecimalString } from '@/lib/money';
import { type CsvColumn, generateCsv } from '@/lib/platform/csv';
import { lineField } from '@/lib/platform/http/fields';
import { type SellerRecord, sellerRecordView } from '@/lib/sites/record/read';
import { matchesUser } from '@/lib/users/queries';
import { offerColumns } from './seller-figures';
import { sellerRecordSortKeys, sellerRecordValues } from './seller-records';

/** The newest orders whose figures are counted: what a list reads must not grow with the number of orders. */
const newestOrders = 50_000;

/** The days of a seller's figures, by the time at which the orders were placed. */
type Period = '90' | 'all';

export const sellerFilter = z.object({ q: lineField(200).optional() });

/** What a reader sees besides the orders: the sites, and earnings and payouts. */
export type SellerRights = { seesSites: boolean; seesMoney: boolean };

export const sellerRights = (actor: Rights): SellerRights => ({
  seesSites: hasPermission(actor, 'ManageSites'),
  seesMoney: hasPermission(actor, 'ManagePayouts') || hasPermission(actor, 'ManageWallets'),
});

/** Formats the accepted share of offers: "95%", or a dash without any. */
export const formatAcceptance = (acceptance: number | null): string =>
  acceptance === null ? '–' : `${Math.round(acceptance * 100)}%`;

const isRecordKey = (key: SortKey): key is keyof typeof sellerRecordValues => key in sellerRecordValues;

const sortValues = {
  sites: sql`sites`,
  answer: sql`"medianSeconds"`,
  late: sql`late`,
  disputed: sql`disputed`,
  lost: sql`lost`,
  earned: sql`"earnedCents"`,
  paid: sql`"paidCents"`,
};
type SortKey = keyof typeof sortValues | keyof typeof sellerRecordValues;

/** Lists the columns by which a reader can sort: only those that the reader sees, because an order tells of its values. */
export const sellerSortKeys = ({ seesSites, seesMoney }: SellerRights): SortKey[] => [
  ...sellerRecordSortKeys,
  ...(['answer', 'late', 'disputed', 'lost'] as const),
  ...(seesSites ? (['sites'] as const) : []),
  ...(seesMoney ? (['earned', 'paid'] as const) : []),
];

const count = z.int();
const cents = z.coerce.number().pipe(z.int());

const sellerRow = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  status: z.enum(userStatuses),
  /** The listings that are not deleted; null where the reader does not see sites. */
  sites: count.nullable(),
  /** The orders that were offered to the seller. */
  offers: count,
  accepted: count,
  declined: count,
  expired: count,
  /** The accepted share of the offers that were answered or expired, from 0 to 1; null without any. */
  acceptance: z.number().nullable(),
  /** The median time to the seller's answer; null without any. */
  medianSeconds: z.coerce.number().nullable(),
  /** Deliveries after their due time, and those that are overdue. */
  late: count,
  /** Orders with a dispute that was not withdrawn. */
  disputed: count,
  /** Orders whose link was lost in the guarantee. */
  lost: count,
  /** The seller's share of approved placements, less what was returned to buyers, in USD cents. */
  earnedCents: cents.nullable(),
  /** The payouts that were paid in the period, in USD cents. */
  paidCents: cents.nullable(),
});
export type SellerRow = z.output<typeof sellerRow>;

const foundRow = sellerRow.extend({ total: count, counted: count });

/** A seller of the list with the figures of the last 90 days and the record of the last 12 months. */
export type ListedSeller = SellerRow & { own: SellerRecord };

type SellersQuery = z.output<typeof sellerFilter> &
  SellerRights & {
    sort: { key: SortKey; order: 'asc' | 'desc' };
    /** Null for all. */
    limit: number | null;
    offset: number;
  };

/**
 * Lists a page of the sellers with their records and figures. `isCappedOrders`: answer times, counts and
 * earnings are of the newest 50,000 orders only.
 */
export async function listSellers(query: SellersQuery, on: Executor = db()) {
  const { rows, found } = await readListed(query, on);
  const [first] = found;
  // A page beyond the last one has no row with the total.
  const [front] =
    first || query.offset === 0 ? [first] : (await readListed({ ...query, offset: 0, limit: 1 }, on)).found;
  return { rows, total: front?.total ?? 0, isCappedOrders: found.some(({ counted }) => counted >= newestOrders) };
}

async function readListed(query: SellersQuery, on: Executor) {
  const found = await readSellers({ ...query, period: '90' }, on);
  const records = await on
    .select(getTableColumns(fulfilmentRecords))
    .from(fulfilmentRecords)
    .where(
      inArray(
        fulfilmentRecords.sellerId,
        found.map(({ id }) => id),
      ),
    );
  const bySeller = new Map(records.map((record) => [record.sellerId, record]));
  const rows = found.map((row): ListedSeller => ({ ...row, own: sellerRecordView(bySeller.get(row.id) ?? null) }));
  return { rows, found };
}

/** Returns the figures of one seller in a period; null for a user who is no seller. */
export async function getSellerFigures(
  sellerId: string,
  { period, ...rights }: SellerRights & { period: Period },
): Promise<SellerRow | null> {
  const query = { period, ...rights, sort: { key: 'name', order: 'asc' }, limit: 1, offset: 0 } as const;
  return (await readSellers(query, db(), sellerId))[0] ?? null;
}

async function readSellers(
  { q, period, seesSites, seesMoney, sort, limit, offset }: SellersQuery & { period: Period },
  on: Executor,
  sellerId?: string,
) {
  const start = period === 'all' ? null : sql`now() - make_interval(days => ${Number(period)})`;
  const since = (column: SQL) => (start === null ? sql`true` : sql`${column} >= ${start}`);
  const orNull = (isSeen: boolean, value: SQL) => (isSeen ? value : sql`null::bigint`);
  // Of one seller also without the role, which a former seller does not have.
  const isSeller = sellerId === undefined ? sql`lower(${users.role}) = 'seller'` : sql`${users.id} = ${sellerId}`;
  const matching = matchesUser(q);
  const direction = sql.raw(sort.order === 'desc' ? 'desc' : 'asc');
  const page = sql`limit ${limit} offset ${offset}`;
  // By the record, the figures are read of the sellers on the page alone.
  const isByRecord = isRecordKey(sort.key);
  const newest = (where: SQL | undefined) => sql`(
    select * from ${placements} where ${where ?? sql`true`} order by order_id desc limit ${newestOrders}) as newest`;
  // Along placements_seller_idx, which has the time too.
  const newestOf = (seller: SQL) => newest(sql`seller_id = ${seller} and ${since(sql`created_at`)}`);
  const rows = await on.execute(sql`
    with candidates as materialized (
      select ${users.id}, ${users.name}, ${users.email}, ${users.status}, count(*) over ()::int as total,
        ${isRecordKey(sort.key) ? sellerRecordValues[sort.key].value : sql`null`} as "recordValue"
      from ${users} left join ${fulfilmentRecords} on ${fulfilmentRecords.sellerId} = ${users.id}
      where ${isSeller} and ${users.deletedAt} is null and ${matching ?? sql`true`}
      ${isByRecord ? sql`order by "recordValue" ${direction} nulls last, id ${direction} ${page}` : undefined}
    ),
    offers as materialized (
      -- The newest first, so that a short period does not read all older orders.
      select newest.* from ${
        sellerId !== undefined
          ? newestOf(sql`${sellerId}`)
          : isByRecord
            ? sql`candidates cross join lateral ${newestOf(sql`candidates.id`)}`
            : newest(undefined)
      } where ${since(sql`newest.created_at`)}
    ),
    figures as (
      select offers.seller_id, ${offerColumns},
        count(*) filter (where ${isLate(sql`offers`)})::int as late,
        count(*) filter (where exists (
          select from disputes d where d.order_id = offers.order_id and d.state <> 'withdrawn'))::int as disputed,
        count(*) filter (where offers.state = 'lost')::int as lost,
        coalesce(sum(offers.seller_cents - offers.seller_returned_cents)
          filter (where offers.approved_at is not null), 0) as earned
      from offers
      group by offers.seller_id
    )
    select listed.*, (select count(*)::int from offers${isByRecord ? sql` where seller_id = listed.id` : undefined}) as counted,
      ${orNull(seesSites, sql`(select count(*) from sites s where s.owner_id = listed.id and s.deleted_at is null)`)}::int as sites,
      ${orNull(seesMoney, sql`listed.earned`)} as "earnedCents",
      ${orNull(
        seesMoney,
        sql`(select coalesce(sum(p.amount_cents), 0) from payouts p
          where p.seller_id = listed.id and p.state = 'paid' and ${since(sql`p.paid_at`)})`,
      )} as "paidCents"
    from (
      select candidates.*, coalesce(figures.offers, 0) as offers, coalesce(figures.accepted, 0) as accepted,
        coalesce(declined, 0) as declined, coalesce(expired, 0) as expired, coalesce(late, 0) as late,
        coalesce(disputed, 0) as disputed, coalesce(lost, 0) as lost, "medianSeconds",
        figures.accepted::float8 / nullif(figures.accepted + declined + expired, 0) as acceptance,
        coalesce(earned, 0) as earned
      from candidates left join figures on figures.seller_id = candidates.id
    ) as listed
    order by ${isRecordKey(sort.key) ? sql`"recordValue"` : sortValues[sort.key]} ${direction} nulls last, id ${direction}
    ${isByRecord ? undefined : page}`);
  return z.array(foundRow).parse([...rows]);
}

/** Small enough to format a batch within a few milliseconds. */
const batchRows = 250;

/** Generates the CSV file of a filtered list, by name, with the columns that the reader sees. */
export function exportSellers(
  query: Omit<SellersQuery, 'sort' | 'limit' | 'offset'>,
  on: Executor,
): AsyncGenerator<string> {
  const percent = (share: number | null | undefined) => (share == null ? null : Math.round(share * 1_000) / 10);
  const rounded = (value: number | null | undefined) => (value == null ? null : Math.round(value * 100) / 100);
  const columns: CsvColumn<ListedSeller>[] = [
    ['Name', ({ name }) => name],
    ['Email', ({ email }) => email],
    ['Status', ({ status }) => status],
    ...(query.seesSites ? [['Sites', ({ sites }) => sites] satisfies CsvColumn<ListedSeller>] : []),
    ['Orders', ({ own }) => own.orders],
    ['Accepted', ({ own }) => own.accepted],
    ['Declined', ({ declined }) => declined],
    ['Expired', ({ expired }) => expired],
    ['Accepted in time %', ({ own }) => percent(own.record?.acceptedInTime)],
    ['Answer hours', ({ medianSeconds }) => (medianSeconds === null ? null : Math.round(medianSeconds / 360) / 10)],
    ['Delivered in time %', ({ own }) => percent(own.record?.deliveredInTime)],
    ['Median days', ({ own }) => rounded(own.record?.medianDays)],
    ['Late', ({ late }) => late],
    ['Revisions per order', ({ own }) => rounded(own.record?.revisionsPerOrder)],
    ['Disputed', ({ disputed }) => disputed],
    ['Disputes lost', ({ own }) => own.record?.disputesLost ?? null],
    ['Links lost', ({ lost }) => lost],
    ...(['30', '90', '365'] as const).flatMap((days): CsvColumn<ListedSeller>[] => [
      [`Alive after ${days} days %`, ({ own }) => percent(own.record?.alive[days]?.share)],
      [`Links of ${days} days`, ({ own }) => own.record?.alive[days]?.links ?? null],
    ]),
    ['Reliability %', ({ own }) => percent(own.reliability)],
    ...(query.seesMoney
      ? ([
          ['Earned USD', ({ earnedCents }) => toDecimalString(earnedCents ?? 0)],
          ['Paid out USD', ({ paidCents }) => toDecimalString(paidCents ?? 0)],
        ] satisfies CsvColumn<ListedSeller>[])
      : []),
  ];
  const whole = { ...query, sort: { key: 'name', order: 'asc' }, limit: null, offset: 0 } as const;
  return generateCsv(
    columns,
    (async function* () {
      const { rows } = await readListed(whole, on);
      // In batches, so that other requests are served between them.
      for (let from = 0; from < rows.length; from += batchRows) yield rows.slice(from, from + batchRows);
    })(),
  );
}
