import { type SQL, sql } from 'drizzle-orm';

/**
 * CTEs: every transfer from the side of each guarded account it touches, in order and summed; and the recorded repairs
 * of stored balances, each with the version of the wallet (lib/ledger/recalculate.ts).
 */
export const balanceParts = sql`
  entries as (
    select from_account as account, -amount_cents as delta, from_version as version, from_balance_cents as balance, id
    from ledger.transfers where from_version is not null
    union all
    select to_account, amount_cents, to_version, to_balance_cents, id
    from ledger.transfers where to_version is not null
  ),
  repairs as (
    select l.id, a.id as account, (l.after ->> 'version')::int as version, (l.after ->> 'balanceCents')::bigint as balance
    from audit_logs l
    join ledger.accounts a on a.kind = 'wallet' and a.owner = l.entity_id and a.currency = 'USD'
    where l.action = 'wallet.repaired' and l.after ? 'version'
  ),
  repaired as (select account, version, max(balance) as balance from repairs group by account, version),
  chains as (
    select e.*, lag(e.version, 1, 0) over w as version_before,
      coalesce(r.balance, lag(e.balance, 1, 0::bigint) over w) as balance_before
    from entries e left join repaired r on r.account = e.account and r.version = e.version - 1
    window w as (partition by e.account order by e.version)
  ),
  sums as (select account, sum(delta) as derived, max(version) as last_version from entries group by account)`;

/** Checks of stored balances against the sums of transfers, and of every step in between. */
export const balanceChecks: readonly Check[] = [
  {
    name: 'Stored balance equals the sum of the transfers',
    broken: sql`
      select a.id::text from ledger.accounts a left join sums s on s.account = a.id
      where a.guarded and a.balance_cents <> coalesce(s.derived, 0)`,
  },
  {
    name: 'Stored version equals the last transfer’s',
    broken: sql`
      select a.id::text from ledger.accounts a left join sums s on s.account = a.id
      where a.guarded and a.version <> coalesce(s.last_version, 0)`,
  },
  {
    name: 'Versions follow each other without a gap',
    broken: sql`select id from chains where version <> version_before + 1`,
  },
  {
    // A repaired balance leaves a gap in immutable rows: the following balances continue from the repaired value. A gap
    // without a recorded repair remains an error.
    name: 'Each balance follows from the previous one, except for recorded repairs',
    broken: sql`
      select c.id from chains c
      where c.balance <> c.balance_before + c.delta
        and not exists (select from repairs r where r.account = c.account and c.version <= r.version)`,
  },
  {
    // A repair exempts the balances before it from the check above, so its value must equal the sum of the amounts
    // before it.
    name: 'A recorded repair set the balance to the sum of the transfers before it',
    broken: sql`
      select 'audit entry ' || r.id from repairs r
      left join entries e on e.account = r.account and e.version <= r.version
      group by r.id, r.balance having r.balance <> coalesce(sum(e.delta), 0)`,
  },
  { name: 'No wallet was ever below zero', broken: sql`select id from entries where balance < 0` },
  {
    name: 'The accounts of a currency add up to zero',
    broken: sql`
      select currency from (
        select a.currency, sum(case when t.to_account = a.id then t.amount_cents else -t.amount_cents end) as rest
        from ledger.accounts a join ledger.transfers t on a.id in (t.from_account, t.to_account)
        group by a.currency
      ) as rests where rest <> 0`,
  },
];

/** An invariant of the ledger. */
export type Check = {
  /** The invariant in words, for the admin who reads the report. */
  name: string;
  /** Query with one text column that identifies each row violating the invariant; empty while it holds. */
  broken: SQL;
};

/** CTE: transfers for orders, with the buyer of each. */
export const orderParts = sql`
  order_moves as (
    select t.id, t.order_id, t.kind, t.amount_cents,
      exists (select from ledger.transfers undone where undone.reverses_id = t.id) as is_undone,
      case when t.kind = 'order_refund' then g.owner else f.owner end as buyer
    from ledger.transfers t
    join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
    where t.kind in ('order', 'order_refund', 'order_recharge')
  ),
  order_sums as (
    select order_id, coalesce(sum(amount_cents) filter (where kind = 'order'), 0) as paid,
      coalesce(sum(case when kind = 'order_refund' then -amount_cents else amount_cents end)
        filter (where not is_undone), 0) as net
    from order_moves group by order_id
  )`;

/** Checks of orders against their payments. Deleted orders count as well: hiding an order moves no money. */
export const orderChecks: readonly Check[] = [
  {
    name: 'Every order was paid by exactly its charge',
    broken: sql`
      select o.id::text from public.orders o left join order_sums s on s.order_id = o.id
      where coalesce(s.paid, 0) <> o.charged_cents`,
  },
  {
    name: 'No order was refunded more than it cost',
    broken: sql`select order_id::text from order_sums where net < 0`,
  },
  {
    name: 'Refunded orders are returned in full, and all others are paid once',
    broken: sql`
      select o.id::text from public.orders o left join order_sums s on s.order_id = o.id
      where coalesce(s.net, 0) <> case when o.status = 'Refunded' then 0 else o.charged_cents end`,
  },
  {
    name: 'Orders are paid from their buyer’s wallet and refunded to it',
    broken: sql`
      select m.id from order_moves m left join public.orders o on o.id = m.order_id
      where o.user_id is distinct from m.buyer`,
  },
];

/**
 * CTE: credits of top-ups with the key of the payment: the transfer's own key, or that of the suspense transfer it
 * releases.
 */
export const topupParts = sql`
  credits as (
    select t.id, t.meta->>'topupId' as topup_id, t.amount_cents, t.currency, coalesce(apart.key, t.key) as payment_key,
      case when a.kind = 'wallet' then a.owner end as owner
    from ledger.transfers t join ledger.accounts a on a.id = t.to_account
    left join ledger.transfers apart on t.key = 'release:' || apart.id
    where t.kind = 'topup'
  )`;

/** Checks of top-ups against the payments received for them. */
export const topupChecks: readonly Check[] = [
  {
    name: 'Every paid top-up was credited',
    broken: sql`
      select p.id from public.topups p
      where p.status = 'paid' and not exists (
        select from credits c where c.topup_id = p.id and c.owner = p.user_id)`,
  },
  {
    name: 'Every top-up references the payment in the books',
    broken: sql`
      select p.id from public.topups p
      where (p.status in ('paid', 'refunded', 'disputed') or p.payment_reference is not null)
        and p.status <> 'review'
        and not exists (
          select from ledger.transfers t
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
      where p.status = 'review' and not exists (
        select from ledger.transfers t join ledger.accounts a on a.id = t.to_account
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
      where p.id is null or c.owner is distinct from p.user_id or c.amount_cents <> p.amount_cents
        or c.currency <> p.currency or p.status not in ('paid', 'refunded', 'disputed')`,
  },
];

/**
 * CTEs: amounts moved by each refund and dispute, by key (lib/payments/reversals/reversal-postings.ts): taken from the
 * credit, taken in excess of the payment, reallocated from the excess to the credit, and returned.
 */
export const reversalParts = sql`
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
    from ledger.transfers where kind in ('provider_refund', 'dispute', 'dispute_reversal')
  ),
  reversal_sums as (
    select of_key, coalesce(sum(amount_cents) filter (where what = 'taken'), 0) as taken,
      coalesce(sum(amount_cents) filter (where what = 'excess'), 0)
        - coalesce(sum(amount_cents) filter (where what = 'freed'), 0) as excess,
      coalesce(sum(amount_cents) filter (where what = 'returned'), 0) as returned,
      coalesce(sum(amount_cents) filter (where what = 'returned excess'), 0) as returned_excess
    from reversal_moves group by of_key
  ),
  reversals as (select *, provider || ':' || kind || ':' || reference as key from public.payment_reversals)`;

/** Checks of the amounts that providers withdrew and reinstated against their refunds and disputes. */
export const reversalChecks: readonly Check[] = [
  {
    name: 'No payment was reversed beyond its credit',
    broken: sql`
      select p.id from public.payment_reversals r join public.topups p on p.id = r.topup_id
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
];
