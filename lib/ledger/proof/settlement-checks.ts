import { sql } from 'drizzle-orm';
import type { CheckGroup, Scope } from './scope';

/** Maximum time between a payment and its statement line; a difference that is older is an error. */
const grace = sql`interval '3 days'`;

/**
 * Builds the CTEs: amounts listed by statements, and amounts booked for them. A clearing account holds the amount owed
 * by the provider as a negative balance.
 */
const settlementParts = (scope: Scope) => sql`
  settlement_moves as (
    select t.id, t.kind, t.meta->>'settlementLine' as line_id, t.meta->>'topupId' as topup_id, other.kind as account,
      case when t.to_account = other.id then t.amount_cents else -t.amount_cents end as minor
    from line_transfers t
    join ledger.accounts other on other.id in (t.from_account, t.to_account) and other.kind in ('clearing', 'pass_through')
    -- The fee of a payout to a seller is proved with the payout.
    where t.kind in ('provider_fee', 'payout', 'payout_failure', 'exchange') and t.meta->>'payoutId' is null
  ),
  line_sums as (
    select line_id,
      coalesce(sum(minor) filter (where kind = 'provider_fee'), 0) as fee,
      coalesce(sum(minor) filter (where kind <> 'provider_fee' and account = 'clearing'), 0) as moved,
      coalesce(sum(minor) filter (where kind <> 'provider_fee' and account = 'pass_through'), 0) as passed
    from settlement_moves where line_id is not null group by line_id
  ),
  topup_clearing as (
    select t.meta->>'topupId' as topup_id, a.owner as provider, t.currency,
      sum(case when t.to_account = a.id then t.amount_cents else -t.amount_cents end) as minor,
      max(t.created_at) as last_at
    from topup_transfers t join ledger.accounts a on a.kind = 'clearing' and a.id in (t.from_account, t.to_account)
    where t.meta->>'topupId' is not null and t.kind not in ('provider_fee', 'payout', 'payout_failure')
    group by 1, 2, 3
  ),
  topup_statement as (
    select topup_id, provider, currency, sum(gross_minor) as minor, max(read_at) as last_at
    from public.settlement_lines where topup_id is not null and ${scope.ofTopup(sql`topup_id`)} group by 1, 2, 3
  )`;

/** Checks of provider statements against the ledger. */
export const settlementChecks = (scope: Scope): CheckGroup => ({
  parts: settlementParts(scope),
  checks: [
    {
      name: 'Every booked line of a statement moved exactly its amount',
      broken: sql`
      select l.id from public.settlement_lines l left join line_sums s on s.line_id = l.id
      where ${scope.ofLine(sql`l.id`)} and (
        coalesce(s.fee, 0) <> case when l.type in ('seller_payout', 'seller_payout_fee') then 0 else l.fee_minor end
          and (l.outcome = 'booked' or coalesce(s.fee, 0) <> 0)
        or coalesce(s.moved, 0) <> case when l.outcome = 'booked' and l.type in ('payout', 'payout_failure', 'conversion')
          then l.passed_minor - l.gross_minor else 0 end
        or coalesce(s.passed, 0) <> case when l.outcome = 'booked' then -l.passed_minor else 0 end)`,
    },
    {
      name: 'Every fee, payout and exchange is a line of a statement',
      broken: sql`
      select m.id from settlement_moves m
      where case when m.line_id is null
        then m.kind <> 'exchange' or not exists (select from topup_statement s where s.topup_id = m.topup_id)
        else not exists (select from public.settlement_lines l where l.id = m.line_id) end`,
    },
    {
      name: 'After three days, what a provider owes for a top-up matches its statement',
      broken: sql`
      select coalesce(s.topup_id, c.topup_id)
      from (select * from topup_clearing where topup_id in (select topup_id from topup_statement)) c
      full join topup_statement s on s.topup_id = c.topup_id and s.currency = c.currency
      where coalesce(s.minor, 0) + coalesce(c.minor, 0) <> 0
        and greatest(s.last_at, c.last_at) < now() - ${grace}`,
    },
    {
      name: 'Every booked line of a payout to a seller is the money that the payout moved',
      broken: sql`
      select l.id from public.settlement_lines l
      where ${scope.ofLine(sql`l.id`)} and l.outcome = 'booked' and l.type in ('seller_payout', 'seller_payout_return')
        and not exists (
          select from public.payouts p
          where p.provider_transaction_id in (l.reference, l.payment_reference) and p.method_kind = l.provider
            and abs(l.gross_minor) = p.amount_cents - p.fee_cents
            and (p.state = 'returned' or p.state = 'paid' and l.type = 'seller_payout'))`,
    },
    {
      name: 'After three days, every payment of a top-up is in the provider’s statement',
      broken: sql`
      select c.topup_id from topup_clearing c
      join public.topups p on p.id = c.topup_id
      join public.settlement_positions r on r.provider = p.provider and r.mode = p.mode
      where c.minor <> 0 and c.last_at >= r.started_at and c.last_at < r.read_until - ${grace}
        and not exists (select from topup_statement s where s.topup_id = c.topup_id)`,
    },
  ],
});

/** Builds the CTEs: the covered statements, and what the ledger has for their sellers and months. */
const statementParts = (scope: Scope) => sql`
  covered_statements as materialized (
    select s.*, a.id as account from public.seller_statements s
    left join ledger.accounts a on a.kind = 'seller_pending' and a.owner = s.seller_id and a.currency = 'USD'
    where ${scope.ofStatement(sql`s.id`)}
  ),
  billed_months as (
    select from_account as account, to_char(effective_at at time zone 'UTC', 'YYYY-MM') as month,
      sum(amount_cents) as cents, count(distinct order_id) as placements
    from ledger.transfers
    where kind = 'ripening' and from_version is not null
      and ${scope.isWhole ? sql`true` : sql`from_account = any(array(select account from covered_statements))`}
    group by 1, 2
  ),
  billed_fees as (
    select p.seller_id, to_char(t.effective_at at time zone 'UTC', 'YYYY-MM') as month,
      sum(case when t.key like '%:fee' then t.amount_cents else -t.amount_cents end) as cents
    from public.payouts p
    join ledger.transfers t on t.key in ('payout:' || p.id || ':fee', 'payout:' || p.id || ':fee-returned')
    where p.fee_cents > 0 and p.seller_id in (select seller_id from covered_statements)
    group by 1, 2
  )`;

/** Checks of self-billed statements against the ledger. */
export const statementChecks = (scope: Scope): CheckGroup => ({
  parts: statementParts(scope),
  checks: [
    {
      name: 'Each self-billed statement is what became payable to its seller in its month',
      broken: sql`
      select s.id from covered_statements s
      left join billed_months b on b.account = s.account and b.month = s.month
      left join billed_fees f on f.seller_id = s.seller_id and f.month = s.month
      where (s.billed_cents, s.placement_count, s.fee_cents)
        is distinct from (coalesce(b.cents, 0), coalesce(b.placements, 0), coalesce(f.cents, 0))`,
    },
    {
      name: 'The lines of a self-billed statement add up to it',
      broken: sql`
      select s.id from covered_statements s left join (
        select statement_id, sum(amount_cents) as cents, count(*) as lines from public.seller_statement_lines
        where statement_id in (select id from covered_statements) group by 1
      ) l on l.statement_id = s.id
      where (s.billed_cents, s.placement_count) is distinct from (coalesce(l.cents, 0), coalesce(l.lines, 0))`,
    },
    {
      name: 'Self-billed statements are numbered without a gap',
      broken: sql`
      select coalesce(s.year, c.year)::text from (
        select year, count(*) as statements, max(number) as last from public.seller_statements group by year
      ) s full join public.seller_statement_counters c on c.year = s.year
      where s.statements is distinct from s.last or s.last is distinct from c.last`,
    },
  ],
});
