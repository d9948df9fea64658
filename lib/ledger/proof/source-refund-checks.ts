import { type SQL, sql } from 'drizzle-orm';
import type { CheckGroup } from './check';
import type { Scope } from './scope';

/**
 * CTEs: the refunds to the payment method with the key of the provider's refund, their transfers by part, and the sums of
 * each refund. The keys are those of lib/payments/reversals.
 */
const refundParts = (scope: Scope) => sql`
  refunds as (
    select r.*, 'source-refund:' || r.id as key, r.provider || ':refund:' || r.provider_reference as provider_key
    from public.source_refunds r where ${scope.ofTopup(sql`r.topup_id`)}
  ),
  refund_moves as (
    select t.id, t.key, t.amount_cents,
      case t.kind when 'source_refund' then 'held' when 'source_refund_return' then 'returned' else 'sent' end as part,
      case when f.kind = 'wallet' then f.owner when g.kind = 'wallet' then g.owner end as buyer,
      case when f.kind = 'refund_transit' then f.owner else g.owner end as provider
    from topup_transfers t
    join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
    where t.kind in ('source_refund', 'source_refund_return')
      or (t.kind = 'provider_refund' and f.kind = 'refund_transit')
  ),
  own_moves as (
    select m.*, r.id as refund_id, r.user_id, r.provider as refund_provider
    from refund_moves m left join refunds r on m.key = case m.part
      when 'held' then r.key when 'returned' then r.key || ':returned' else r.provider_key end
  ),
  refund_sums as (
    select refund_id, coalesce(sum(amount_cents) filter (where part = 'held'), 0) as held,
      coalesce(sum(amount_cents) filter (where part = 'sent'), 0) as sent,
      coalesce(sum(amount_cents) filter (where part = 'returned'), 0) as returned
    from own_moves group by refund_id
  )`;

/** Checks of refunds to the payment method against the money that left and returned to wallets for them. */
export const sourceRefundChecks = (scope: Scope): CheckGroup => ({
  parts: refundParts(scope),
  checks: [
    {
      name: 'Each refund to a payment method moved exactly what its state requires',
      broken: sql`
      select r.id from refunds r left join refund_sums s on s.refund_id = r.id
      where coalesce(s.held, 0) <> case when r.money = 'none' then 0 else r.amount_cents end
        or coalesce(s.sent, 0) + coalesce(s.returned, 0)
          <> case when r.money in ('sent', 'returned') then r.amount_cents else 0 end
        or (coalesce(s.sent, 0) > 0 and r.money not in ('sent', 'returned'))
        or (coalesce(s.returned, 0) > 0 and r.money <> 'returned')`,
    },
    {
      name: 'Each refund to a payment method is one refund of its payment at the provider',
      broken: sql`
      select r.id from refunds r left join refund_sums s on s.refund_id = r.id
      left join public.payment_reversals v on v.provider = r.provider and v.mode = r.mode and v.kind = 'refund'
        and v.reference = r.provider_reference
      where (r.money = 'sent' or (r.money = 'returned' and coalesce(s.returned, 0) = 0))
        and (v.topup_id, v.payment_reference, v.amount_cents, v.amount_minor, v.currency, v.excess_minor, v.money)
          is distinct from (r.topup_id, r.payment_reference, r.amount_cents, r.charge_minor, r.charge_currency, 0,
            case r.money when 'sent' then 'taken' else 'returned' end)`,
    },
    {
      name: 'Money left wallets for the payment method only by refunds of their owners',
      broken: sql`
      select m.id from own_moves m
      where m.refund_id is null or m.provider <> m.refund_provider or (m.part <> 'sent' and m.buyer <> m.user_id)`,
    },
    {
      name: 'A refund goes to the payment of its owner’s top-up',
      broken: sql`
      select r.id from refunds r join public.topups p on p.id = r.topup_id
      where (p.user_id, p.provider, p.mode, p.payment_reference, p.currency, p.charge_currency)
        is distinct from (r.user_id, r.provider, r.mode, r.payment_reference, r.currency, r.charge_currency)`,
    },
    {
      name: 'No payment is refunded beyond its credit, with the refunds in progress',
      broken: sql`
      select p.id from public.topups p
      join (
        select topup_id, sum(amount_cents) as cents, sum(charge_minor) as minor from refunds
        where money = 'held' group by topup_id
      ) r on r.topup_id = p.id
      left join (
        select topup_id, payment_reference, sum(amount_cents) as cents, sum(amount_minor - excess_minor) as minor
        from public.payment_reversals where money = 'taken' group by topup_id, payment_reference
      ) v on v.topup_id = p.id and v.payment_reference = p.payment_reference
      where r.cents + coalesce(v.cents, 0) > p.amount_cents or r.minor + coalesce(v.minor, 0) > p.charge_amount_minor`,
    },
    {
      name: 'Money in transit to payment methods is the refunds in progress',
      broken: sql`
      select 'refund_transit' where coalesce((${transitBalance(scope)}), 0) <> coalesce((
        select sum(amount_cents) from public.source_refunds where money = 'held'), 0)`,
    },
  ],
});

/** The balance of `refund_transit`: in a partial proof of the roll-up and the transfers behind it. */
const transitBalance = ({ isWhole }: Scope): SQL =>
  isWhole
    ? sql`select sum(case when part = 'held' then amount_cents else -amount_cents end) from refund_moves`
    : sql`select sum(balance) from kind_totals where kind = 'refund_transit'`;
