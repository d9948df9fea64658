import { type SQL, sql } from 'drizzle-orm';
import type { CheckGroup, Scope } from './scope';

/** Builds a quotient of non-negative integers, rounded half up. */
const divide = (dividend: SQL, divisor: SQL) => sql`((2 * ${dividend} + ${divisor}) / (2 * ${divisor}))`;

/**
 * Builds the CTEs: the transfers of tax, of a refund with the key of its net transfer; the tax of each charge of an order
 * with what was returned of it; and what each refund returned, by country.
 */
const taxParts = (scope: Scope) => sql`
  tax_moves as (
    select t.id, t.order_id, t.kind, t.amount_cents,
      case when t.kind = 'tax' then t.key else regexp_replace(t.key, '^tax:(.*?)(:[A-Z]{2})?$', '\\1') end as key,
      case when t.kind = 'tax' then f.owner else g.owner end as buyer,
      case when t.kind = 'tax' then g.owner else f.owner end as country
    from order_transfers t
    join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
    where t.kind in ('tax', 'tax_refund')
  ),
  tax_rows as (
    select x.*, coalesce(r.net, 0)::bigint as returned_net, coalesce(r.tax, 0)::bigint as returned_tax
    from public.order_taxes x
    cross join lateral (
      select sum(net_cents) as net, sum(tax_cents) as tax from public.order_tax_returns where charge_key = x.movement_key
    ) r
    where ${scope.ofOrder(sql`x.order_id`)}
  ),
  tax_returned as (
    select r.movement_key, x.order_id, x.country, sum(r.net_cents) as net, sum(r.tax_cents) as tax
    from public.order_tax_returns r join tax_rows x on x.movement_key = r.charge_key group by 1, 2, 3
  )`;

/** Checks of the tax of orders against the ledger and the documents. */
export const taxChecks = (scope: Scope): CheckGroup => ({
  parts: taxParts(scope),
  checks: [
    {
      name: 'Each charge of an order moved exactly its tax to the account of its country',
      broken: sql`
      select coalesce(x.movement_key, m.key)
      from tax_rows x
      full join (select * from tax_moves where kind = 'tax') m
        on m.key = 'tax:' || regexp_replace(x.movement_key, '^order:', '')
      where coalesce(x.tax_cents, 0) <> coalesce(m.amount_cents, 0)
        or (m.id is not null and (m.order_id, m.country) is distinct from (x.order_id, x.country))`,
    },
    {
      name: 'The tax of a charge is its net amount at its rate',
      broken: sql`
      select x.movement_key from tax_rows x
      left join ledger.transfers n on n.key = x.movement_key and n.kind in ('order', 'order_recharge')
      where (n.order_id, n.amount_cents) is distinct from (x.order_id, x.net_cents)
        or x.tax_cents <> ${divide(sql`(x.net_cents * x.rate)`, sql`10000`)}`,
    },
    {
      name: 'Tax is paid from the wallet of the order’s buyer and returned to it',
      broken: sql`
      select m.id from tax_moves m left join public.orders o on o.id = m.order_id
      where o.account_id is distinct from m.buyer`,
    },
    {
      name: 'Each refund of an order returned exactly its tax',
      broken: sql`
      select coalesce(r.movement_key, m.key)
      from tax_returned r
      full join (select * from tax_moves where kind = 'tax_refund') m
        on m.key = r.movement_key and m.country = r.country
      where coalesce(r.tax, 0) <> coalesce(m.amount_cents, 0) or (m.id is not null and m.order_id is distinct from r.order_id)`,
    },
    {
      name: 'The tax returned of a charge is its share to the cent, and all of it with the whole charge',
      broken: sql`
      select movement_key from tax_rows
      where returned_net > net_cents
        or returned_tax <> ${divide(sql`(tax_cents * returned_net)`, sql`net_cents`)}`,
    },
    {
      name: 'Refunds returned the charges that have tax, and no more',
      broken: sql`
      select r.movement_key from tax_returned r
      left join ledger.transfers n on n.key = r.movement_key and n.kind = 'order_refund'
      group by r.movement_key, r.order_id, n.order_id, n.amount_cents
      having n.order_id is distinct from r.order_id or sum(r.net) > n.amount_cents
      union all
      -- Charges without a row take no more of the refunds than they were.
      select c.order_id::text
      from (select order_id, sum(net_cents) as net, sum(returned_net) as returned from tax_rows group by order_id) c
      join (
        select order_id, sum(amount_cents) filter (where kind <> 'order_refund') as charged,
          coalesce(sum(amount_cents) filter (where kind = 'order_refund'), 0) as refunded
        from order_transfers where kind in ('order', 'order_recharge', 'order_refund') group by order_id
      ) t on t.order_id = c.order_id
      where t.refunded - c.returned > t.charged - c.net`,
    },
    {
      name: 'The tax of an order is that of the payments for its charge',
      broken: sql`
      select o.id::text from public.orders o
      left join (
        select x.order_id, sum(x.tax_cents) as tax from tax_rows x
        left join public.order_changes c on x.movement_key = 'change:' || c.id
        where not starts_with(x.movement_key, 'recharge:') and (c.id is null or c.state = 'approved')
        group by x.order_id
      ) x on x.order_id = o.id
      where o.tax_cents <> coalesce(x.tax, 0) and ${scope.ofOrder(sql`o.id`)}`,
    },
    {
      name: 'Invoices and credit notes have the tax of their movement, in lines that add up',
      broken: sql`
      select i.movement_key from public.invoices i
      left join tax_rows x on x.movement_key = i.movement_key
      left join (select movement_key, sum(tax) as tax from tax_returned group by movement_key) r
        on r.movement_key = i.movement_key
      cross join lateral (
        select sum((value ->> 'netCents')::bigint) as net, sum((value ->> 'taxCents')::bigint) as tax
        from jsonb_array_elements(i.taxes)
      ) as lines
      where ${scope.ofOrder(sql`i.order_id`)} and (i.tax_cents <> coalesce(x.tax_cents, r.tax, 0)
        or (i.amount_cents, i.tax_cents) is distinct from (lines.net, lines.tax))`,
    },
  ],
});
