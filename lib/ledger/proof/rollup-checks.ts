import { sql } from 'drizzle-orm';
import { selectRevenueMoves } from '@/lib/ledger/revenue-moves';
import { selectSpendingMoves } from '@/lib/ledger/spending-moves';
import { walletCurrency } from '@/lib/money';
import type { CheckGroup } from './check';

/** Checks of the derived sums (lib/ledger/roll-up.ts) against the transfers that they contain; only in a whole proof. */
export const rollupChecks = (): CheckGroup => ({
  parts: sql`
    rolled as not materialized (
      select t.*, f.kind as from_kind, g.kind as to_kind from ledger.transfers t
      join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
      where t.position <= (select position from ledger_rollup)
    ),
    rolled_sides as (
      select from_account as account, -amount_cents as delta, from_version as version, effective_at, kind from rolled
      union all
      select to_account, amount_cents, to_version, effective_at, kind from rolled
    ),
    rolled_accounts as (
      select account, sum(delta) as balance, count(version) as version from rolled_sides group by account
    ),
    rolled_days as (
      select day, sum(kept) as kept, sum(reserved) as reserved, sum(earned) as earned
      from (${selectRevenueMoves(sql`rolled`)}) as moves group by day
    ),
    rolled_months as (
      select s.account, date_trunc('month', s.effective_at at time zone 'UTC')::date as month,
        coalesce(sum(s.delta) filter (where s.delta > 0), 0) as earned,
        coalesce(-sum(s.delta) filter (where s.delta < 0), 0) as returned,
        coalesce(sum(abs(s.delta)) filter (where s.kind = 'ripening'), 0) as ripened,
        count(*) as entries, min(s.version) as first, max(s.version) as last
      from rolled_sides s
      join ledger.accounts a on a.id = s.account and a.kind in ('seller_pending', 'seller_payable') and a.currency = ${walletCurrency}
      group by 1, 2
    ),
    rolled_spending as (
      select account, month, sum(paid) as paid, sum(returned) as returned
      from (${selectSpendingMoves(sql`rolled`)}) as moves group by account, month
    ),
    rolled_projects as (
      select o.project_id, coalesce(sum(t.amount_cents) filter (where t.from_kind = 'wallet'), 0) as paid,
        coalesce(sum(t.amount_cents) filter (where t.to_kind = 'wallet'), 0) as returned
      from rolled t left join ledger.transfers undone on undone.id = t.reverses_id and t.order_id is null
      join orders o on o.id = coalesce(t.order_id, undone.order_id) group by 1
    )`,
  checks: [
    {
      name: 'The rolled-up balances equal the sums of their transfers',
      broken: sql`
        select coalesce(r.account_id, s.account)::text
        from account_rollups r full join rolled_accounts s on s.account = r.account_id
        where coalesce(r.balance_cents, 0) <> coalesce(s.balance, 0) or coalesce(r.version, 0) <> coalesce(s.version, 0)
        union all
        select coalesce(k.kind, s.kind) from kind_rollups k full join (
          select a.kind, a.currency, sum(r.balance) as balance
          from rolled_accounts r join ledger.accounts a on a.id = r.account group by 1, 2
        ) s on s.kind = k.kind and s.currency = k.currency
        where coalesce(k.balance_cents, 0) <> coalesce(s.balance, 0)`,
    },
    {
      name: 'The rolled-up revenue and project costs equal the sums of their transfers',
      broken: sql`
        select coalesce(r.day, s.day)::text from revenue_rollups r full join rolled_days s on s.day = r.day
        where coalesce(r.amount_cents, 0) <> coalesce(s.kept, 0)
          or coalesce(r.reserved_cents, 0) <> coalesce(s.reserved, 0)
          or coalesce(r.earned_cents, 0) <> coalesce(s.earned, 0)
        union all
        select coalesce(r.project_id, s.project_id)
        from project_rollups r full join rolled_projects s on s.project_id = r.project_id
        where coalesce(r.paid_cents, 0) <> coalesce(s.paid, 0) or coalesce(r.returned_cents, 0) <> coalesce(s.returned, 0)`,
    },
    {
      name: 'The rolled-up earnings of sellers equal the sums of their transfers',
      broken: sql`
        select coalesce(r.account_id, s.account)::text
        from earning_rollups r full join rolled_months s on s.account = r.account_id and s.month = r.month
        where (r.in_cents, r.out_cents, r.ripened_cents, r.entries, r.first_version, r.last_version)
          is distinct from (s.earned, s.returned, s.ripened, s.entries, s.first, s.last)`,
    },
    {
      name: 'The rolled-up spending of wallets equals the sums of their transfers',
      broken: sql`
        select coalesce(r.account_id, s.account)::text
        from spending_rollups r full join rolled_spending s on s.account = r.account_id and s.month = r.month
        where (r.paid_cents, r.returned_cents) is distinct from (s.paid, s.returned)`,
    },
  ],
});
