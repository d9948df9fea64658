import { sql } from 'drizzle-orm';
import type { CheckGroup } from './check';
import type { Scope } from './scope';

/** CTEs: the covered statements, and what the ledger has for their sellers and months. */
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
