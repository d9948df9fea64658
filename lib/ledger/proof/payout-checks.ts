import { type SQL, sql } from 'drizzle-orm';
import type { CheckGroup, Scope } from './scope';

/** CTEs: the transfers of payouts by their part, and the sums of each payout. The keys are those of lib/payouts/postings.ts. */
const moveParts = sql`
  payout_moves as (
    select t.id, t.kind, t.amount_cents, split_part(t.key, ':', 2) as payout_id,
      substr(t.key, length(split_part(t.key, ':', 1) || ':' || split_part(t.key, ':', 2)) + 1) as part,
      split_part(t.key, ':', 1) as prefix,
      case when f.kind = 'seller_payable' then f.owner when g.kind = 'seller_payable' then g.owner end as seller,
      case when f.kind = 'payout_transit' then f.owner when g.kind = 'payout_transit' then g.owner
        when t.kind = 'provider_fee' then g.owner end as method,
      f.kind as from_kind
    from payout_transfers t
    join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
  ),
  payout_sums as (
    select payout_id,
      coalesce(sum(amount_cents) filter (where part = ''), 0) as requested,
      coalesce(sum(amount_cents) filter (where part = ':paid'), 0) as paid,
      coalesce(sum(amount_cents) filter (where part = ':fee'), 0) as fee,
      coalesce(sum(amount_cents) filter (where part = ':returned'), 0) as returned,
      coalesce(sum(amount_cents) filter (where part = ':fee-returned'), 0) as fee_returned,
      coalesce(sum(amount_cents) filter (where part = ':provider-fee'), 0) as provider_fee
    from payout_moves group by payout_id
  )`;

/** The kind of transfer of each part of a payout, and where its money comes from. */
const partRows = sql`
  ('', 'seller_payout', 'seller_payable'), (':paid', 'seller_payout_paid', 'payout_transit'),
  (':fee', 'seller_payout_fee', 'payout_transit'), (':returned', 'seller_payout_return', 'payout_transit'),
  (':returned', 'seller_payout_return', 'clearing'), (':returned', 'seller_payout_return', 'bank'),
  (':fee-returned', 'seller_payout_return', 'fees'), (':provider-fee', 'provider_fee', 'fees')`;

/** A payout that was returned without having been paid has no time of the payment. */
const wasPaid = sql`(p.state = 'paid' or p.state = 'returned' and p.paid_at is not null)`;

const net = sql`p.amount_cents - p.fee_cents`;

/** Checks of payouts against the money that left and returned to sellers for them. */
export const payoutChecks = (scope: Scope): CheckGroup => ({
  parts: moveParts,
  checks: [
    {
      name: 'Each payout moved exactly what its state requires',
      broken: sql`
      select p.id from public.payouts p left join payout_sums s on s.payout_id = p.id
      where ${scope.ofPayout(sql`p.id`)} and (coalesce(s.requested, 0), coalesce(s.paid, 0), coalesce(s.fee, 0),
          coalesce(s.returned, 0), coalesce(s.fee_returned, 0), coalesce(s.provider_fee, 0)) is distinct from (
        p.amount_cents,
        case when ${wasPaid} then ${net} else 0 end,
        case when ${wasPaid} then p.fee_cents else 0 end,
        case when p.state in ('failed', 'withdrawn', 'returned') then case when ${wasPaid} then ${net} else p.amount_cents end
          else 0 end,
        case when p.state = 'returned' and ${wasPaid} then p.fee_cents else 0 end,
        p.provider_fee_cents)`,
    },
    {
      name: 'Money left sellers only for their own payouts',
      broken: sql`
      select m.id from payout_moves m left join public.payouts p on p.id = m.payout_id
      where p.id is null or m.prefix <> 'payout' or (m.part, m.kind, m.from_kind) not in (values ${partRows})
        or m.seller <> p.seller_id or m.method <> p.method_kind`,
    },
    {
      name: 'Money in transit is the payouts that are neither paid nor returned',
      broken: sql`
      select 'payout_transit' where coalesce((${transitBalance(scope)}), 0) <> coalesce((
        select sum(amount_cents) from public.payouts where state in ('requested', 'approved', 'sent')), 0)`,
    },
    {
      name: 'Every payout went to a method of its seller',
      broken: sql`
      select p.id from public.payouts p left join public.payout_methods m on m.id = p.method_id
      where ${scope.ofPayout(sql`p.id`)} and (m.seller_id, m.kind) is distinct from (p.seller_id, p.method_kind)`,
    },
    {
      name: 'A batch of PayPal has only payouts to PayPal, and only these have its fees',
      broken: sql`
      select p.id from public.payouts p left join public.payout_batches b on b.id = p.batch_id
      where ${scope.ofPayout(sql`p.id`)} and (b.id is not null and (b.kind = 'paypal') <> (p.method_kind = 'paypal')
        or b.kind is distinct from 'paypal' and (p.provider_fee_cents <> 0 or p.provider_reference is not null))`,
    },
    {
      name: 'The totals of a batch are those of its payouts',
      broken: sql`
      select b.id from public.payout_batches b
      left join (
        select batch_id, count(*) as payouts, sum(amount_cents - fee_cents) as cents from public.payouts
        where batch_id is not null group by batch_id
      ) p on p.batch_id = b.id
      where (b.payout_count, b.total_cents) is distinct from (coalesce(p.payouts, 0), coalesce(p.cents, 0))`,
    },
  ],
});

/** Returns the balance of `payout_transit`: in a partial proof of the roll-up and the transfers behind it. */
const transitBalance = ({ isWhole }: Scope): SQL =>
  isWhole
    ? sql`select sum(case when m.part = '' then m.amount_cents
        when m.from_kind = 'payout_transit' then -m.amount_cents else 0 end) from payout_moves m`
    : sql`select sum(balance) from kind_totals where kind = 'payout_transit'`;

/**
 * Builds the CTEs: the refunds to the payment method with the key of the provider's refund, their transfers by part,
 * and the sums of each refund. The keys are those of lib/payments/reversals.
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
    select m.*, r.id as refund_id, r.account_id, r.provider as refund_provider
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
      where m.refund_id is null or m.provider <> m.refund_provider or (m.part <> 'sent' and m.buyer <> m.account_id)`,
    },
    {
      name: 'A refund goes to the payment of its owner’s top-up',
      broken: sql`
      select r.id from refunds r join public.topups p on p.id = r.topup_id
      where (p.account_id, p.provider, p.mode, p.payment_reference, p.currency, p.charge_currency)
        is distinct from (r.account_id, r.provider, r.mode, r.payment_reference, r.currency, r.charge_currency)`,
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
      select 'refund_transit' where coalesce((${refundTransitBalance(scope)}), 0) <> coalesce((
        select sum(amount_cents) from public.source_refunds where money = 'held'), 0)`,
    },
  ],
});

/** Returns the balance of `refund_transit`: in a partial proof of the roll-up and the transfers behind it. */
const refundTransitBalance = ({ isWhole }: Scope): SQL =>
  isWhole
    ? sql`select sum(case when part = 'held' then amount_cents else -amount_cents end) from refund_moves`
    : sql`select sum(balance) from kind_totals where kind = 'refund_transit'`;
