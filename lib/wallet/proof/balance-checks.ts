import { sql } from 'drizzle-orm';
import type { Check } from './check';

/**
 * CTEs: every transfer from the side of each guarded account it touched, one after the other, and summed up; and the
 * recorded repairs of stored balances, each at the version the wallet had (lib/wallet/recalculate.ts).
 */
export const balanceParts = sql`
  entries as (
    select from_account as account, -amount_cents as delta, from_version as version, from_balance_cents as balance, id
    from ledger.transfers where from_version is not null
    union all
    select to_account, amount_cents, to_version, to_balance_cents, id
    from ledger.transfers where to_version is not null
  ),
  repairs as (
    select l.id, a.id as account, (l.after ->> 'version')::int as version, (l.after ->> 'balanceCents')::bigint as balance
    from audit_logs l
    join ledger.accounts a on a.kind = 'wallet' and a.owner = l.entity_id and a.currency = 'USD'
    where l.action = 'wallet.repaired' and l.after ? 'version'
  ),
  repaired as (select account, version, max(balance) as balance from repairs group by account, version),
  chains as (
    select e.*, lag(e.version, 1, 0) over w as version_before,
      coalesce(r.balance, lag(e.balance, 1, 0::bigint) over w) as balance_before
    from entries e left join repaired r on r.account = e.account and r.version = e.version - 1
    window w as (partition by e.account order by e.version)
  ),
  sums as (select account, sum(delta) as derived, max(version) as last_version from entries group by account)`;

/** Stored against derived, and every step in between. */
export const balanceChecks: readonly Check[] = [
  {
    name: 'Stored balance equals the sum of the transfers',
    broken: sql`
      select a.id::text from ledger.accounts a left join sums s on s.account = a.id
      where a.guarded and a.balance_cents <> coalesce(s.derived, 0)`,
  },
  {
    name: 'Stored version equals the last transfer’s',
    broken: sql`
      select a.id::text from ledger.accounts a left join sums s on s.account = a.id
      where a.guarded and a.version <> coalesce(s.last_version, 0)`,
  },
  {
    name: 'Versions follow each other without a gap',
    broken: sql`select id from chains where version <> version_before + 1`,
  },
  {
    // Damage that was repaired later left its gap in immutable rows; after a repair they go on from what it set. Damage
    // that no repair was recorded for stays broken.
    name: 'Each balance follows from the one before, but for recorded repairs',
    broken: sql`
      select c.id from chains c
      where c.balance <> c.balance_before + c.delta
        and not exists (select from repairs r where r.account = c.account and c.version <= r.version)`,
  },
  {
    // A repair excuses the balances before it, so it must say itself what all the amounts before it come to.
    name: 'A recorded repair set the sum of the transfers before it',
    broken: sql`
      select 'audit entry ' || r.id from repairs r
      left join entries e on e.account = r.account and e.version <= r.version
      group by r.id, r.balance having r.balance <> coalesce(sum(e.delta), 0)`,
  },
  { name: 'No wallet was ever below zero', broken: sql`select id from entries where balance < 0` },
  {
    name: 'The accounts of a currency add up to zero',
    broken: sql`
      select currency from (
        select a.currency, sum(case when t.to_account = a.id then t.amount_cents else -t.amount_cents end) as rest
        from ledger.accounts a join ledger.transfers t on a.id in (t.from_account, t.to_account)
        group by a.currency
      ) as rests where rest <> 0`,
  },
];
