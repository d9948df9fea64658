import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { firstAnswer, isLate, placements } from '@/db/schema/placements';
import { userStatuses, users } from '@/db/schema/users';
import { hasPermission } from '@/lib/access/authorize';
import type { Rights } from '@/lib/access/permissions';
import { toDecimalString } from '@/lib/money';
import { type CsvColumn, generateCsv } from '@/lib/platform/csv';
import { choiceParam, lineField } from '@/lib/platform/http/fields';
import { matchesUser } from '@/lib/users/queries';
import { offerColumns } from './seller-figures';

/** The newest orders whose figures are counted: what a list reads must not grow with the number of orders. */
const newestOrders = 50_000;

/** The periods of a list of sellers; the orders of a period are those that were placed in it. */
const sellerPeriods = ['30', '90', '365', 'all'] as const;
type Period = (typeof sellerPeriods)[number];
export const defaultSellerPeriod = '90' satisfies Period;
export const sellerPeriodLabels = {
  '30': 'Last 30 days',
  '90': 'Last 90 days',
  '365': 'Last 365 days',
  all: 'All time',
} satisfies Record<Period, string>;

export const sellerFilter = z.object({
  q: lineField(200).optional(),
  period: choiceParam(sellerPeriods)
    .default(defaultSellerPeriod)
    .describe('The days before now in which the orders were placed, or all of them.'),
});

/** What a reader sees besides the orders: the sites, and earnings and payouts. */
export type SellerRights = { seesSites: boolean; seesMoney: boolean };

export const sellerRights = (actor: Rights): SellerRights => ({
  seesSites: hasPermission(actor, 'ManageSites'),
  seesMoney: hasPermission(actor, 'ManagePayouts') || hasPermission(actor, 'ManageWallets'),
});

/** Formats the accepted share of offers: "95%", or a dash without any. */
export const formatAcceptance = (acceptance: number | null): string =>
  acceptance === null ? '–' : `${Math.round(acceptance * 100)}%`;

const sortValues = {
  name: sql`lower(coalesce(nullif(listed.name, ''), listed.email))`,
  sites: sql`sites`,
  orders: sql`offers`,
  acceptance: sql`acceptance`,
  answer: sql`"medianSeconds"`,
  late: sql`late`,
  disputed: sql`disputed`,
  lost: sql`lost`,
  earned: sql`"earnedCents"`,
  paid: sql`"paidCents"`,
};
type SortKey = keyof typeof sortValues;

/** Lists the columns by which a reader can sort: only those that the reader sees, because an order tells of its values. */
export const sellerSortKeys = ({ seesSites, seesMoney }: SellerRights): SortKey[] => [
  ...(['name', 'orders', 'acceptance', 'answer', 'late', 'disputed', 'lost'] as const),
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

const listRow = sellerRow.extend({ total: count, counted: count });

type SellersQuery = z.output<typeof sellerFilter> &
  SellerRights & {
    sort: { key: SortKey; order: 'asc' | 'desc' };
    /** Null for all. */
    limit: number | null;
    offset: number;
  };

/** Lists a page of the sellers with their figures. `isCappedOrders`: only the newest 50,000 orders of the period are counted. */
export async function listSellers(query: SellersQuery, on: Executor = db()) {
  const rows = await readSellers(query, on);
  const [first] = rows;
  // A page beyond the last one has no row with the total.
  const [front] = first || query.offset === 0 ? [first] : await readSellers({ ...query, offset: 0, limit: 1 }, on);
  return { rows, total: front?.total ?? 0, isCappedOrders: (first?.counted ?? 0) >= newestOrders };
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
  { q, period, seesSites, seesMoney, sort, limit, offset }: SellersQuery,
  on: Executor,
  sellerId?: string,
) {
  const start = period === 'all' ? null : sql`now() - make_interval(days => ${Number(period)})`;
  const since = (column: SQL) => (start === null ? sql`true` : sql`${column} >= ${start}`);
  const ofSeller = (column: SQL) => (sellerId === undefined ? sql`true` : sql`${column} = ${sellerId}`);
  const orNull = (isSeen: boolean, value: SQL) => (isSeen ? value : sql`null::bigint`);
  // Of one seller also without the role, which a former seller does not have.
  const isSeller = sellerId === undefined ? sql`lower(u.role) = 'seller'` : sql`u.id = ${sellerId}`;
  const matching = matchesUser(q);
  const direction = sql.raw(sort.order === 'desc' ? 'desc' : 'asc');
  const rows = await on.execute(sql`
    with offers as materialized (
      -- The newest first, so that a short period does not read all older orders.
      select * from (
        select * from ${placements} where ${ofSeller(sql`seller_id`)} order by order_id desc limit ${newestOrders}
      ) as newest where ${since(sql`created_at`)}
    ),
    figures as (
      select offers.seller_id, ${offerColumns},
        count(*) filter (where ${isLate(sql`offers`)})::int as late,
        count(*) filter (where exists (
          select from disputes d where d.order_id = offers.order_id and d.state <> 'withdrawn'))::int as disputed,
        count(*) filter (where offers.state = 'lost')::int as lost,
        coalesce(sum(offers.seller_cents - offers.seller_returned_cents)
          filter (where offers.approved_at is not null), 0) as earned
      from offers left join lateral ${firstAnswer(sql`offers.order_id`)} as answers on true
      group by offers.seller_id
    )
    select listed.*, (select count(*)::int from offers) as counted,
      ${orNull(seesSites, sql`(select count(*) from sites s where s.owner_id = listed.id and s.deleted_at is null)`)}::int as sites,
      ${orNull(seesMoney, sql`listed.earned`)} as "earnedCents",
      ${orNull(
        seesMoney,
        sql`(select coalesce(sum(p.amount_cents), 0) from payouts p
          where p.seller_id = listed.id and p.state = 'paid' and ${since(sql`p.paid_at`)})`,
      )} as "paidCents"
    from (
      select u.id, u.name, u.email, u.status, count(*) over ()::int as total,
        coalesce(offers, 0) as offers, coalesce(accepted, 0) as accepted, coalesce(declined, 0) as declined,
        coalesce(expired, 0) as expired, coalesce(late, 0) as late, coalesce(disputed, 0) as disputed,
        coalesce(lost, 0) as lost, "medianSeconds",
        accepted::float8 / nullif(accepted + declined + expired, 0) as acceptance, coalesce(earned, 0) as earned
      from ${users} u left join figures on figures.seller_id = u.id
      where ${isSeller} and u.deleted_at is null
        and ${matching ? sql`u.id in (select ${users.id} from ${users} where ${matching})` : sql`true`}
    ) as listed
    order by ${sortValues[sort.key]} ${direction} nulls last, id ${direction}
    limit ${limit} offset ${offset}`);
  return z.array(listRow).parse([...rows]);
}

/** Generates the CSV file of a filtered list, by name, with the columns that the reader sees. */
export function exportSellers(
  query: Omit<SellersQuery, 'sort' | 'limit' | 'offset'>,
  on: Executor,
): AsyncGenerator<string> {
  const columns: CsvColumn<SellerRow>[] = [
    ['Name', ({ name }) => name],
    ['Email', ({ email }) => email],
    ['Status', ({ status }) => status],
    ...(query.seesSites ? [['Sites', ({ sites }) => sites] satisfies CsvColumn<SellerRow>] : []),
    ['Orders', ({ offers }) => offers],
    ['Accepted', ({ accepted }) => accepted],
    ['Declined', ({ declined }) => declined],
    ['Expired', ({ expired }) => expired],
    ['Acceptance %', ({ acceptance }) => (acceptance === null ? null : Math.round(acceptance * 1_000) / 10)],
    ['Answer hours', ({ medianSeconds }) => (medianSeconds === null ? null : Math.round(medianSeconds / 360) / 10)],
    ['Late', ({ late }) => late],
    ['Disputed', ({ disputed }) => disputed],
    ['Lost', ({ lost }) => lost],
    ...(query.seesMoney
      ? ([
          ['Earned USD', ({ earnedCents }) => toDecimalString(earnedCents ?? 0)],
          ['Paid out USD', ({ paidCents }) => toDecimalString(paidCents ?? 0)],
        ] satisfies CsvColumn<SellerRow>[])
      : []),
  ];
  const whole = { ...query, sort: { key: 'name', order: 'asc' }, limit: null, offset: 0 } as const;
  return generateCsv(
    columns,
    (async function* () {
      yield await readSellers(whole, on);
    })(),
  );
}
