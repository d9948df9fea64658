import { type SQL, sql } from 'drizzle-orm';
import type { CheckGroup, Scope } from './scope';

/** Builds the CTEs: transfers for orders, with the buyer of each, and their paid changes. */
const orderParts = (scope: Scope) => sql`
  order_moves as (
    select t.id, t.order_id, t.kind, t.amount_cents,
      exists (select from ledger.transfers undone where undone.reverses_id = t.id) as is_undone,
      case when t.kind = 'order_refund' then g.owner else f.owner end as buyer
    from order_transfers t
    join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
    where t.kind in ('order', 'order_refund', 'order_recharge')
  ),
  order_sums as (
    select order_id, coalesce(sum(amount_cents) filter (where kind = 'order'), 0) as paid,
      coalesce(sum(case when kind = 'order_refund' then -amount_cents else amount_cents end)
        filter (where not is_undone), 0) as net
    from order_moves group by order_id
  ),
  -- What buyers paid for changes that are no part of the charge, and of that what did not return.
  change_sums as (
    select order_id, sum(seller_cents + margin_cents) as paid,
      coalesce(sum(seller_cents + margin_cents) filter (where returned_at is null), 0) as net
    from public.order_changes
    where charged_at is not null and state <> 'approved' and ${scope.ofOrder(sql`order_id`)} group by order_id
  )`;

/**
 * What a settlement returned of a part of the price, which remains returned in every status. If it returned everything,
 * a later status charges the whole price again.
 */
const settledCents = sql`case when p.state in ('settled', 'lost')
    and p.seller_returned_cents + p.margin_returned_cents < o.charged_cents
  then p.seller_returned_cents + p.margin_returned_cents else 0 end`;

/** Selects what a transfer of a change moved. @param part the end of its key */
const moved = (part: SQL) => sql`coalesce((
  select t.amount_cents from ledger.transfers t where t.key = 'change:' || c.id || ${part} and t.order_id = c.order_id), 0)`;

/** Checks of orders against their payments. Deleted orders count as well: hiding an order moves no money. */
export const orderChecks = (scope: Scope): CheckGroup => ({
  parts: orderParts(scope),
  checks: [
    {
      name: 'Every order was paid by exactly its charge and its other changes',
      broken: sql`
      select o.id::text from public.orders o
      left join order_sums s on s.order_id = o.id left join change_sums c on c.order_id = o.id
      where coalesce(s.paid, 0) <> o.charged_cents + coalesce(c.paid, 0) and ${scope.ofOrder(sql`o.id`)}`,
    },
    {
      name: 'No order was refunded more than it cost',
      broken: sql`select order_id::text from order_sums where net < 0`,
    },
    {
      name: 'Refunded orders are returned in full, and all others are paid once',
      broken: sql`
      select o.id::text from public.orders o
      left join order_sums s on s.order_id = o.id left join public.placements p on p.order_id = o.id
      left join change_sums c on c.order_id = o.id
      where coalesce(s.net, 0) <> coalesce(c.net, 0)
          + case when o.status = 'Refunded' then 0 else o.charged_cents - ${settledCents} end
        and ${scope.ofOrder(sql`o.id`)}`,
    },
    {
      name: 'Orders are paid from their buyer’s wallet and refunded to it',
      broken: sql`
      select m.id from order_moves m left join public.orders o on o.id = m.order_id
      where o.account_id is distinct from m.buyer`,
    },
    {
      name: 'Changes were paid, returned and earned once, by the two sides of their order',
      broken: sql`
      select c.id from public.order_changes c
      join public.orders o on o.id = c.order_id left join public.placements p on p.order_id = c.order_id
      where ${scope.ofOrder(sql`c.order_id`)} and (
        (c.returned_at is not null) <> (c.charged_at is not null and c.state in ('declined', 'withdrawn', 'expired'))
        or (c.charged_at is null and c.state in ('accepted', 'delivered', 'approved'))
        or (c.charged_at is not null and c.state in ('asked', 'priced'))
        or c.seller_cents < 0 or c.margin_cents < 0
        or o.account_id <> c.buyer_id or p.seller_id is distinct from c.seller_id
        or ${moved(sql`''`)} <> case when c.charged_at is null then 0 else c.seller_cents + c.margin_cents end
        or ${moved(sql`':refund'`)} <> case when c.returned_at is null then 0 else c.seller_cents + c.margin_cents end
        or ${moved(sql`':seller'`)} <> case when c.state = 'approved' then c.seller_cents else 0 end
        or ${moved(sql`':margin'`)} <> case when c.state = 'approved' then c.margin_cents else 0 end)`,
    },
  ],
});

/**
 * CTE: credits of top-ups with the key of the payment: the transfer's own key, or that of the suspense transfer it
 * releases. Those of bank transfers have checks of their own (bank-checks.ts).
 */
const topupParts = sql`
  credits as (
    select t.id, t.meta->>'topupId' as topup_id, t.amount_cents, t.currency, coalesce(apart.key, t.key) as payment_key,
      case when a.kind = 'wallet' then a.owner end as owner
    from topup_transfers t join ledger.accounts a on a.id = t.to_account
    left join ledger.transfers apart on apart.id = case when t.key like 'release:%' then substr(t.key, 9) end
    where t.kind = 'topup' and not starts_with(t.key, 'bank:')
  )`;

/** Checks of top-ups against the payments received for them. */
export const topupChecks = (scope: Scope): CheckGroup => ({
  parts: topupParts,
  checks: [
    {
      name: 'Every paid top-up was credited',
      broken: sql`
      select p.id from public.topups p
      where p.status = 'paid' and ${scope.ofTopup(sql`p.id`)} and not exists (
        select from credits c where c.topup_id = p.id and c.owner = p.account_id)`,
    },
    {
      name: 'Every top-up references the payment in the books',
      broken: sql`
      select p.id from public.topups p
      where (p.status in ('paid', 'refunded', 'disputed') or p.payment_reference is not null)
        and p.status <> 'review' and ${scope.ofTopup(sql`p.id`)}
        and not exists (
          select from topup_transfers t
          where t.key = p.provider || ':' || p.payment_reference and t.kind in ('topup', 'suspense')
            and t.meta->>'topupId' = p.id)
      union all
      select p.id from credits c join public.topups p on p.id = c.topup_id
      where c.payment_key is distinct from p.provider || ':' || p.payment_reference`,
    },
    {
      name: 'Payments in review are held in suspense',
      broken: sql`
      select p.id from public.topups p
      where p.status = 'review' and ${scope.ofTopup(sql`p.id`)} and not exists (
        select from topup_transfers t join ledger.accounts a on a.id = t.to_account
        where t.key = p.provider || ':' || p.payment_reference and a.kind = 'suspense' and t.meta->>'topupId' = p.id)`,
    },
    {
      name: 'No top-up was credited twice',
      broken: sql`select topup_id from credits group by topup_id having count(*) > 1`,
    },
    {
      name: 'Every credit of a top-up matches its intent',
      broken: sql`
      select c.id from credits c left join public.topups p on p.id = c.topup_id
      where p.id is null or c.owner is distinct from p.account_id or c.amount_cents <> p.amount_cents
        or c.currency <> p.currency or p.status not in ('paid', 'refunded', 'disputed')`,
    },
  ],
});

/**
 * Builds the CTEs: amounts moved by each refund and dispute, by key (lib/payments/reversals/reversal-postings.ts):
 * taken from the credit, taken in excess of the payment, reallocated from the excess to the credit, and returned.
 */
const reversalParts = (scope: Scope) => sql`
  reversal_moves as (
    select id, amount_cents,
      case when position(':covered:' in key) > 0 then split_part(key, ':covered:', 1)
        when position(':excess:freed:' in key) > 0 then split_part(key, ':excess:freed:', 1)
        else regexp_replace(key, '(:returned)?(:owed|:excess)?$', '') end as of_key,
      case when position(':covered:' in key) > 0 then 'taken'
        when position(':excess:freed:' in key) > 0 then 'freed'
        when key like '%:returned:excess' then 'returned excess'
        when key like '%:returned' then 'returned'
        when key like '%:excess' then 'excess'
        else 'taken' end as what
    from topup_transfers
    where kind in ('provider_refund', 'dispute', 'dispute_reversal')
  ),
  reversal_sums as (
    select of_key, coalesce(sum(amount_cents) filter (where what = 'taken'), 0) as taken,
      coalesce(sum(amount_cents) filter (where what = 'excess'), 0)
        - coalesce(sum(amount_cents) filter (where what = 'freed'), 0) as excess,
      coalesce(sum(amount_cents) filter (where what = 'returned'), 0) as returned,
      coalesce(sum(amount_cents) filter (where what = 'returned excess'), 0) as returned_excess
    from reversal_moves group by of_key
  ),
  reversals as (
    select *, provider || ':' || kind || ':' || reference as key from public.payment_reversals r
    where ${scope.ofTopup(sql`r.topup_id`)}
  )`;

/** Checks of the amounts that providers withdrew and reinstated against their refunds and disputes. */
export const reversalChecks = (scope: Scope): CheckGroup => ({
  parts: reversalParts(scope),
  checks: [
    {
      name: 'No payment was reversed beyond its credit',
      broken: sql`
      select p.id from reversals r join public.topups p on p.id = r.topup_id
      where r.money = 'taken'
      group by p.id, r.payment_reference
      having sum(r.amount_cents) > case when r.payment_reference = p.payment_reference then p.amount_cents else 0 end`,
    },
    {
      name: 'Every refund and dispute at a provider is in the books',
      broken: sql`
      select r.id from reversals r left join reversal_sums s on s.of_key = r.key
      where r.amount_cents <> coalesce(s.taken, 0) or r.excess_minor <> coalesce(s.excess, 0)
        or (case when r.money = 'returned' then r.amount_cents else 0 end) <> coalesce(s.returned, 0)
        or (case when r.money = 'returned' then r.excess_minor else 0 end) <> coalesce(s.returned_excess, 0)`,
    },
    {
      name: 'Every amount that a provider took or returned is a refund or dispute',
      broken: sql`
      select m.id from reversal_moves m where not exists (select from reversals r where r.key = m.of_key)`,
    },
  ],
});
