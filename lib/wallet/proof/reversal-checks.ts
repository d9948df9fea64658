import { sql } from 'drizzle-orm';
import type { Check } from './check';

/**
 * CTEs: what each refund and dispute moved, by its key (lib/topups/reversal-postings.ts): what it took of the credit and
 * beyond the payment, what of the latter counted against the credit after all, and what came back.
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

/** What providers took back, and gave back, against their refunds and disputes. */
export const reversalChecks: readonly Check[] = [
  {
    name: 'No payment was taken back beyond its credit',
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
    name: 'What a provider took or gave back is one of its refunds or disputes',
    broken: sql`
      select m.id from reversal_moves m where not exists (select from reversals r where r.key = m.of_key)`,
  },
];
