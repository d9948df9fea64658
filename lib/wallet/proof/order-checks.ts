import { sql } from 'drizzle-orm';
import type { Check } from './check';

/** CTE: what moved for orders, and between which buyer and the platform. */
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

/** Orders against what was paid for them. A deleted order counts as well: hiding one moves no money. */
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
    name: 'A refunded order has all its money back, and every other one is paid once',
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
