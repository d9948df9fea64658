import { sql } from 'drizzle-orm';
import type { CheckGroup } from './check';
import type { Scope } from './scope';

/**
 * CTE: in a partial proof, each touched account begins with its rolled balance and version, less the covered transfers
 * that these contain already.
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
 * CTEs: every transfer from the side of each guarded account it touches, in order and summed; and the recorded repairs
 * of stored balances, each with the version of the wallet (lib/ledger/recalculate.ts).
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
