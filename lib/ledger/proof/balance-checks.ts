import { sql } from 'drizzle-orm';
import { selectFlows, selectSpendingMoves } from '@/lib/ledger/moves';
import { allowedRoutes } from '@/lib/ledger/routes';
import { walletCurrency } from '@/lib/money';
import { selectTaxSums } from '@/lib/tax/document-lines';
import type { CheckGroup, Scope } from './scope';

/**
 * Builds the CTE: in a partial proof, each touched account begins with its rolled balance and version, less the covered
 * transfers that these contain already.
 */
const openings = ({ ofAccount }: Scope) => sql`
  openings as (
    select r.account_id as account, r.balance_cents - coalesce(n.delta, 0) as balance,
      r.version - coalesce(n.steps, 0) as version
    from account_rollups r join ledger.accounts a on a.id = r.account_id and a.guarded
    left join (
      select account, sum(delta) as delta, count(*)::int as steps from moves
      where position <= (select position from ledger_rollup) group by account
    ) n on n.account = r.account_id
    where ${ofAccount(sql`r.account_id`)}
  )`;

/**
 * Builds the CTEs: every transfer from the side of each guarded account it touches, in order and summed; and the
 * recorded repairs of stored balances, each with the version of the wallet (lib/ledger/balance.ts).
 */
const balanceParts = (scope: Scope) => sql`
  moves as (
    select from_account as account, -amount_cents as delta, from_version as version, from_balance_cents as balance, id, position
    from scope where from_version is not null
    union all
    select to_account, amount_cents, to_version, to_balance_cents, id, position
    from scope where to_version is not null
  ),
  ${
    scope.isWhole
      ? sql`entries as (select account, delta, version, balance, id from moves)`
      : sql`${openings(scope)},
  entries as (
    select account, delta, version, balance, id from moves
    union all select account, balance, version, balance, null from openings
  )`
  },
  repairs as (
    select l.id, a.id as account, (l.after ->> 'version')::int as version, (l.after ->> 'balanceCents')::bigint as balance
    from audit_logs l
    join ledger.accounts a on a.kind = 'wallet' and a.owner = l.entity_id and a.currency = 'USD'
    where l.action = 'wallet.repaired' and l.after ? 'version' and ${scope.ofAccount(sql`a.id`)}
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
export const balanceChecks = (scope: Scope): CheckGroup => ({
  parts: balanceParts(scope),
  checks: [
    {
      name: 'Stored balance equals the sum of the transfers',
      broken: sql`
        select a.id::text from ledger.accounts a left join sums s on s.account = a.id
        where a.guarded and a.balance_cents <> coalesce(s.derived, 0) and ${scope.ofAccount(sql`a.id`)}
        ${scope.isWhole ? sql`` : untouchedBalances}`,
    },
    {
      name: 'Stored version equals the last transfer’s',
      broken: sql`
        select a.id::text from ledger.accounts a left join sums s on s.account = a.id
        where a.guarded and a.version <> coalesce(s.last_version, 0) and ${scope.ofAccount(sql`a.id`)}`,
    },
    {
      name: 'Versions follow each other without a gap',
      broken: sql`select id from chains where version <> version_before + 1 and id is not null`,
    },
    {
      // A repaired balance leaves a gap in immutable rows: the following balances continue from the repaired value. A
      // gap without a recorded repair remains an error.
      name: 'Each balance follows from the previous one, except for recorded repairs',
      broken: sql`
        select c.id from chains c
        where c.balance <> c.balance_before + c.delta and c.id is not null
          and not exists (select from repairs r where r.account = c.account and c.version <= r.version)`,
    },
    {
      // A repair exempts the balances before it from the check above, so its value must equal the sum of the amounts
      // before it.
      name: 'A recorded repair set the balance to the sum of the transfers before it',
      broken: sql`
        select 'audit entry ' || r.id from repairs r
        left join entries e on e.account = r.account and e.version <= r.version
        ${scope.isWhole ? sql`` : sql`where not exists (select from openings o where o.account = r.account and o.version > r.version)`}
        group by r.id, r.balance having r.balance <> coalesce(sum(e.delta), 0)`,
    },
    {
      name: 'No stored balance was ever below zero',
      broken: sql`select coalesce(id, 'account ' || account) from entries where balance < 0`,
    },
    {
      name: 'The accounts of a currency add up to zero',
      broken: sql`select currency from kind_totals group by currency having sum(balance) <> 0`,
    },
  ],
});

/** A changed balance of an account without new transfers shows in the sum of all accounts of its kind. */
const untouchedBalances = sql`
  union all
  select 'all accounts of the kind ' || kind
  from (select kind, sum(balance_cents) as stored from ledger.accounts where guarded group by kind) as guarded
  where stored <> coalesce((select sum(k.balance) from kind_totals k where k.kind = guarded.kind), 0)`;

const routeRows = sql.join(
  Object.entries(allowedRoutes).flatMap(([kind, routes]) =>
    routes.map(([from, to]) => sql`(${kind}::text, ${from}::text, ${to}::text)`),
  ),
  sql`, `,
);

/** Checks of each transfer's accounts against its kind. */
export const routeChecks = ({ ofAccount }: Scope): CheckGroup => ({
  parts: null,
  checks: [
    {
      name: 'Both sides of a transfer match its kind',
      broken: sql`
      select t.id from scope t
      join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
      where f.guarded <> (t.from_version is not null) or g.guarded <> (t.to_version is not null)`,
    },
    {
      name: 'Money moved only between accounts that its kind allows',
      broken: sql`
      select t.id from scope t
      join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
      where (t.kind <> 'reversal' and (t.kind, f.kind, g.kind) not in (values ${routeRows}))
        -- A user repays only their own debt, and a provider settles only its own account.
        or (t.kind in ('receivable', 'provider_fee', 'payout', 'payout_failure', 'exchange') and f.owner <> g.owner)`,
    },
    {
      name: 'Every reversal mirrors the transfer it reverses',
      broken: sql`
      select t.id from scope t
      left join ledger.transfers o on o.id = t.reverses_id
      join ledger.accounts back on back.id = t.to_account
      where (t.reverses_id is not null or t.kind = 'reversal') and (
        o.id is null or t.from_account <> o.to_account or t.amount_cents <> o.amount_cents or t.currency <> o.currency
        -- Money that a provider received stays with it: a deleted credit goes to suspense.
        or (t.to_account <> o.from_account and not (o.kind = 'topup' and back.kind = 'suspense')))`,
    },
    {
      name: 'No buyer paid more than they owed',
      broken: sql`
      select a.id::text from ledger.accounts a join ledger.transfers t on a.id in (t.from_account, t.to_account)
      where a.kind = 'receivable' and ${ofAccount(sql`a.id`)}
      group by a.id having sum(case when t.to_account = a.id then t.amount_cents else -t.amount_cents end) > 0`,
    },
  ],
});

/**
 * Checks of the derived sums against the transfers (lib/ledger/roll-up.ts) and documents (lib/tax/document-lines.ts) that
 * they contain; only in a whole proof.
 */
export const rollupChecks = (): CheckGroup => ({
  parts: sql`
    rolled as not materialized (
      select t.*, f.kind as from_kind, f.owner as from_owner, g.kind as to_kind, g.owner as to_owner
      from ledger.transfers t
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
    rolled_flows as (
      select day, kind, from_kind, from_owner, to_kind, to_owner, currency, sum(amount_cents) as cents,
        sum(entries) as entries
      from (${selectFlows(sql`rolled`)}) as flows group by 1, 2, 3, 4, 5, 6, 7
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
        where coalesce(r.balance_cents, 0) <> coalesce(s.balance, 0) or coalesce(r.version, 0) <> coalesce(s.version, 0)`,
    },
    {
      name: 'The rolled-up flows of each day and the costs of projects equal the sums of their transfers',
      broken: sql`
        select day::text from flow_rollups r
        full join rolled_flows s using (day, kind, from_kind, from_owner, to_kind, to_owner, currency)
        where (r.amount_cents, r.entries) is distinct from (s.cents, s.entries)
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
    {
      name: 'The sums of the reports of tax equal the lines of their documents',
      broken: sql`
        select day::text from tax_rollups r
        full join (${selectTaxSums(sql`true`)}) s using (day, kind, country, rate, category, currency)
        where (r.documents, r.net_cents, r.tax_cents, r.net_minor, r.tax_minor)
          is distinct from (s.documents, s.net_cents, s.tax_cents, s.net_minor, s.tax_minor)`,
    },
  ],
});
