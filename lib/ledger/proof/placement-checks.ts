import { type SQL, sql } from 'drizzle-orm';
import type { CheckGroup, Scope } from './scope';

/** The condition for placements whose whole charge is reserved. */
const isReserved = sql`p.approved_at is null and p.state in ('offered', 'accepted', 'delivered', 'in_revision', 'disputed')`;

/**
 * CTEs: what moved into and out of `reserved` and the accounts of sellers, and the sums of each order. A settlement after
 * the approval passes through `reserved`, so earnings and margins are net.
 */
const moveParts = sql`
  placement_moves as (
    select t.id, t.order_id, t.key, t.kind, t.amount_cents, g.kind as to_kind,
      case when g.kind = 'reserved' then t.amount_cents when f.kind = 'reserved' then -t.amount_cents else 0 end as reserved,
      case when t.kind <> 'earning' then 0 when g.kind = 'seller_pending' then t.amount_cents else -t.amount_cents end as earned,
      case when t.kind <> 'margin' then 0 when g.kind = 'revenue' then t.amount_cents else -t.amount_cents end as margin,
      case when t.kind = 'ripening' then t.amount_cents else 0 end as ripened,
      case when f.kind = 'reserved' and t.kind = 'order_refund' then t.amount_cents else 0 end as returned,
      case when g.kind = 'seller_pending' then g.owner when f.kind = 'seller_pending' then f.owner end as seller,
      case when g.kind = 'seller_payable' then g.owner end as payee
    from order_transfers t
    join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
    where t.kind in ('order', 'order_refund', 'earning', 'margin', 'ripening')
      and (f.kind in ('reserved', 'seller_pending') or g.kind in ('reserved', 'seller_pending'))
  ),
  placement_sums as (
    select order_id, sum(reserved) as reserved, sum(earned) as earned, sum(margin) as margin, sum(ripened) as ripened,
      sum(returned) as returned
    from placement_moves group by order_id
  )`;

/** The condition for changes whose price is reserved. */
const isReservedChange = sql`state in ('accepted', 'delivered')`;

/** Builds the CTEs: the sums that the states of the placements and of their changes require. */
const expectedPart = (scope: Scope) => sql`
  placement_changes as (
    select order_id, coalesce(sum(seller_cents + margin_cents) filter (where ${isReservedChange}), 0) as reserved,
      coalesce(sum(seller_cents + margin_cents) filter (where returned_at is not null), 0) as returned
    from public.order_changes where charged_at is not null and ${scope.ofOrder(sql`order_id`)} group by order_id
  ),
  placement_shares as (
    select p.order_id, p.seller_id as seller,
      case when ${isReserved} then p.seller_cents + p.margin_cents else 0 end as reserved,
      case when ${isReserved} or ${isTakenOver} then 0 else p.seller_cents - p.seller_returned_cents end as earned,
      case when ${isReserved} then 0 when ${isTakenOver} then p.seller_cents + p.margin_cents
        else p.margin_cents - p.margin_returned_cents end as margin,
      case when p.state in ('declined', 'expired', 'cancelled') then p.seller_cents + p.margin_cents
        when p.state in ('settled', 'lost') then p.seller_returned_cents + p.margin_returned_cents
        else 0 end as returned,
      p.ripened_cents as ripened,
      case when ${isOverWithRest} then p.seller_cents - p.seller_returned_cents else p.ripened_cents end as due,
      p.seller_returned_cents + p.margin_returned_cents as recorded
    from public.placements p where ${scope.ofOrder(sql`p.order_id`)}
  )`;

/** The condition for placements of which nothing may be pending. */
const isOverWithRest = sql`p.state in ('closed', 'settled', 'lost')`;

const isTakenOver = sql`(p.state = 'taken_over' and p.approved_at is null)`;

/** Returns the balance of `reserved`: in a partial proof of the roll-up and the transfers behind it. */
const reservedBalance = ({ isWhole }: Scope): SQL =>
  isWhole
    ? sql`select sum(reserved) from placement_sums`
    : sql`select sum(balance) from kind_totals where kind = 'reserved'`;

/** Checks of placements against the money that was reserved, earned and returned for them. */
export const placementChecks = (scope: Scope): CheckGroup => ({
  parts: sql`${moveParts}, ${expectedPart(scope)}`,
  checks: [
    {
      name: 'Reserved money is the charges of the placements and changes without an approval',
      broken: sql`
      select 'reserved' where coalesce((${reservedBalance(scope)}), 0) <> coalesce((
        select sum(p.seller_cents + p.margin_cents) from public.placements p where ${isReserved}), 0)
        + coalesce((select sum(seller_cents + margin_cents) from public.order_changes where ${isReservedChange}), 0)`,
    },
    {
      name: 'Each placement moved exactly what its state requires',
      broken: sql`
      select x.order_id::text from placement_shares x left join placement_sums s on s.order_id = x.order_id
      left join placement_changes c on c.order_id = x.order_id
      where x.recorded <> x.returned or x.due <> x.ripened
        or (x.reserved + coalesce(c.reserved, 0), x.earned, x.margin, x.ripened, x.returned + coalesce(c.returned, 0))
        is distinct from
        (coalesce(s.reserved, 0), coalesce(s.earned, 0), coalesce(s.margin, 0), coalesce(s.ripened, 0), coalesce(s.returned, 0))`,
    },
    {
      name: 'The shares of a placement add up to the charge of its order',
      broken: sql`
      select p.order_id::text from public.placements p join public.orders o on o.id = p.order_id
      where ${scope.ofOrder(sql`p.order_id`)} and (p.seller_cents + p.margin_cents <> o.charged_cents
        or p.seller_cents < 0 or p.margin_cents < 0
        or p.seller_returned_cents not between 0 and p.seller_cents
        or p.margin_returned_cents not between 0 and p.margin_cents
        -- What is ripe is never returned, and nothing ripens before the approval.
        or p.ripened_cents not between 0 and p.seller_cents - p.seller_returned_cents
        or (p.approved_at is null and p.state <> 'settled' and p.ripened_cents > 0))`,
    },
    {
      name: 'Each seller earned the shares of their approved placements, less what was returned',
      broken: sql`
      select coalesce(e.seller, x.seller)
      from (select seller, sum(earned) as earned from placement_moves where seller is not null group by seller) e
      full join (select seller, sum(earned) as earned from placement_shares group by seller) x on x.seller = e.seller
      where coalesce(e.earned, 0) <> coalesce(x.earned, 0)`,
    },
    {
      name: 'Money was reserved and earned only for placements of the same seller',
      broken: sql`
      select m.id from placement_moves m left join public.placements p on p.order_id = m.order_id
      where p.order_id is null or m.seller <> p.seller_id or m.payee <> p.seller_id`,
    },
    {
      name: 'No seller earned a placement twice',
      broken: sql`
      -- Each extension of a guarantee and each paid change has an earning of its own.
      select order_id::text from placement_moves
      where kind = 'earning' and to_kind = 'seller_pending' and not starts_with(key, 'extension:')
        and not starts_with(key, 'change:')
      group by order_id having count(*) > 1`,
    },
    {
      name: 'Each extension of a guarantee moved exactly its price and shares',
      broken: sql`
      select coalesce(o.id, m.option_id)
      from (
        select id, order_id, charged_cents, seller_cents, margin_cents from public.order_options
        where is_extension and ${scope.ofOrder(sql`order_id`)}
      ) o
      full join (
        select split_part(key, ':', 2) as option_id, order_id,
          sum(amount_cents) filter (where kind = 'order') as charged,
          sum(amount_cents) filter (where kind = 'earning') as earned,
          sum(amount_cents) filter (where kind = 'margin') as margin
        from placement_moves where key like 'extension:%' group by 1, 2
      ) m on m.option_id = o.id and m.order_id = o.order_id
      where (o.charged_cents, o.seller_cents, o.margin_cents)
        is distinct from (coalesce(m.charged, 0), coalesce(m.earned, 0), coalesce(m.margin, 0))`,
    },
    {
      name: 'The options of an order are parts of the shares of its placement',
      broken: sql`
      select p.order_id::text from public.placements p
      left join (
        select order_id, sum(seller_cents) as seller, sum(margin_cents) as margin,
          coalesce(sum(seller_cents) filter (where kind = 'guarantee'), 0) as guarantee,
          coalesce(sum(days) filter (where is_extension), 0) as added,
          bool_or(charged_cents <> seller_cents + margin_cents or seller_cents < 0 or margin_cents < 0) as is_broken
        from public.order_options where ${scope.ofOrder(sql`order_id`)} group by order_id
      ) o on o.order_id = p.order_id
      where ${scope.ofOrder(sql`p.order_id`)} and (coalesce(o.is_broken, false)
        or coalesce(o.seller, 0) > p.seller_cents or coalesce(o.margin, 0) > p.margin_cents
        or coalesce(o.guarantee, 0) <> p.guarantee_cents or coalesce(o.added, 0) <> p.added_days)`,
    },
  ],
});
