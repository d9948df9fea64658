import { sql } from 'drizzle-orm';
import type { Check } from './check';

/** CTE: what was credited for top-ups, and which payment brought it: its own key, or one kept apart before. */
export const topupParts = sql`
  credits as (
    select t.id, t.meta->>'topupId' as topup_id, t.amount_cents, t.currency, coalesce(apart.key, t.key) as payment_key,
      case when a.kind = 'wallet' then a.owner end as owner
    from ledger.transfers t join ledger.accounts a on a.id = t.to_account
    left join ledger.transfers apart on t.key = 'release:' || apart.id
    where t.kind = 'topup'
  )`;

/** Intents against the money that came for them. */
export const topupChecks: readonly Check[] = [
  {
    name: 'Every paid top-up was credited',
    broken: sql`
      select p.id from public.topups p
      where p.status = 'paid' and not exists (
        select from credits c where c.topup_id = p.id and c.owner = p.user_id)`,
  },
  {
    name: 'Every top-up names the payment that the books hold for it',
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
    name: 'What is in review stands in suspense',
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
    name: 'Every credit of a top-up is what its intent says',
    broken: sql`
      select c.id from credits c left join public.topups p on p.id = c.topup_id
      where p.id is null or c.owner is distinct from p.user_id or c.amount_cents <> p.amount_cents
        or c.currency <> p.currency or p.status not in ('paid', 'refunded', 'disputed')`,
  },
];
