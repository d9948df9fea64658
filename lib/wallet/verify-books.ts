import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '../../db/client';

const check = z.object({ name: z.string(), broken: z.coerce.number(), sample: z.string().nullable() });
const total = z.object({
  kind: z.string(),
  currency: z.string(),
  balance_cents: z.coerce.number(),
  stored_cents: z.coerce.number().nullable(),
});

export type BookCheck = { name: string; broken: number; sample: string | null };
export type BooksReport = {
  isSound: boolean;
  checks: BookCheck[];
  /**
   * Sum of the transfers by kind of account and currency, in minor units; all kinds of a currency add up to 0.
   * `storedCents`: the sum of the balances that wallets store; null for kinds that store none.
   */
  totals: { kind: string; currency: string; balanceCents: number; storedCents: number | null }[];
};

/**
 * Proves the books from their rows: every wallet's stored balance is the sum of its transfers, none is below zero,
 * versions and balances run without a gap, money in equals money owed, every charged order has its transfer, and every
 * top-up its one credit.
 * Reads one snapshot, so that transfers in flight cannot look like a difference.
 */
export async function verifyBooks(): Promise<BooksReport> {
  return db().transaction(
    async (tx) => {
      const checks = z.array(check).parse(await tx.execute(checksQuery));
      const totals = z.array(total).parse(await tx.execute(totalsQuery));
      return {
        isSound: checks.every((one) => one.broken === 0),
        checks,
        totals: totals.map(({ balance_cents, stored_cents, ...rest }) => ({
          ...rest,
          balanceCents: balance_cents,
          storedCents: stored_cents,
        })),
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/** Every transfer from the side of each guarded account it touched. */
const guardedEntries = sql`
  select from_account as account, -amount_cents as delta, from_version as version, from_balance_cents as balance, id
  from ledger.transfers where from_version is not null
  union all
  select to_account, amount_cents, to_version, to_balance_cents, id
  from ledger.transfers where to_version is not null`;

const checksQuery = sql`
  with entries as (${guardedEntries}),
  chains as (
    select *, lag(version, 1, 0) over w as version_before, lag(balance, 1, 0::bigint) over w as balance_before
    from entries window w as (partition by account order by version)
  ),
  sums as (select account, sum(delta) as derived, max(version) as last_version from entries group by account),
  credits as (
    select t.id, t.meta->>'topupId' as topup_id, t.amount_cents, t.currency,
      case when a.kind = 'wallet' then a.owner end as owner
    from ledger.transfers t join ledger.accounts a on a.id = t.to_account where t.kind = 'topup'
  ),
  -- What a refund or dispute took beyond the payment, and then of it after all (lib/topups/reversal-postings.ts).
  moved as (
    select split_part(key, ':covered:', 1) as of_key, 'covered' as what, amount_cents
    from ledger.transfers where position(':covered:' in key) > 0
    union all
    select split_part(key, ':excess:freed:', 1), 'freed', amount_cents
    from ledger.transfers where position(':excess:freed:' in key) > 0
  ),
  failures as (
    select 'Stored balance equals the sum of the transfers' as name, a.id::text as sample
    from ledger.accounts a left join sums s on s.account = a.id
    where a.guarded and a.balance_cents <> coalesce(s.derived, 0)
    union all
    select 'Stored version equals the last transfer''s', a.id::text
    from ledger.accounts a left join sums s on s.account = a.id
    where a.guarded and a.version <> coalesce(s.last_version, 0)
    union all
    select 'Versions follow each other without a gap', id from chains where version <> version_before + 1
    union all
    select 'Each balance follows from the one before', id from chains where balance <> balance_before + delta
    union all
    select 'No wallet was ever below zero', id from entries where balance < 0
    union all
    select 'Both sides of a transfer are what their kind says', t.id
    from ledger.transfers t
    join ledger.accounts f on f.id = t.from_account join ledger.accounts g on g.id = t.to_account
    where f.guarded <> (t.from_version is not null) or g.guarded <> (t.to_version is not null)
    union all
    select 'The accounts of a currency add up to zero', currency
    from (
      select a.currency, sum(case when t.to_account = a.id then t.amount_cents else -t.amount_cents end) as rest
      from ledger.accounts a join ledger.transfers t on a.id in (t.from_account, t.to_account)
      group by a.currency
    ) as rests where rest <> 0
    union all
    select 'Every order was paid by exactly its charge', o.id::text
    from public.orders o
    left join ledger.transfers t on t.order_id = o.id and t.kind = 'order'
    where o.charged_cents > 0
    group by o.id, o.charged_cents having coalesce(sum(t.amount_cents), 0) <> o.charged_cents
    union all
    select 'No order was refunded more than it cost', o.id::text
    from public.orders o
    join ledger.transfers t on t.order_id = o.id and t.kind in ('order', 'order_refund', 'order_recharge')
    group by o.id, o.charged_cents
    having sum(case when t.kind = 'order_refund' then -t.amount_cents else t.amount_cents end) < 0
    union all
    select 'Every paid top-up was credited', p.id
    from public.topups p
    where p.status in ('refunded', 'disputed')
      and not exists (select from ledger.transfers t where t.key = p.provider || ':' || p.payment_reference)
    union all
    select 'No top-up was credited twice', t.meta->>'topupId'
    from ledger.transfers t where t.kind = 'topup' group by t.meta->>'topupId' having count(*) > 1
    union all
    select 'Every paid top-up was credited', p.id
    from public.topups p
    where p.status = 'paid' and not exists (
      select from credits c where c.topup_id = p.id and c.owner = p.user_id)
    union all
    select 'Every credit of a top-up is what its intent says', c.id
    from credits c left join public.topups p on p.id = c.topup_id
    where p.id is null or c.owner is distinct from p.user_id or c.amount_cents <> p.amount_cents
      or c.currency <> p.currency or p.status not in ('paid', 'refunded', 'disputed')
    union all
    select 'No payment was taken back beyond its credit', p.id
    from public.payment_reversals r join public.topups p on p.id = r.topup_id
    where r.money = 'taken'
    group by p.id, r.payment_reference
    having sum(r.amount_cents) > case when r.payment_reference = p.payment_reference then p.amount_cents else 0 end
    union all
    select 'Every reversal mirrors the transfer it undoes', t.id
    from ledger.transfers t
    join ledger.transfers o on o.id = t.reverses_id
    join ledger.accounts back on back.id = t.to_account
    where t.from_account <> o.to_account or t.amount_cents <> o.amount_cents or t.currency <> o.currency
      -- What a provider was paid stays with it: a deleted credit goes to suspense.
      or (t.to_account <> o.from_account and not (o.kind = 'topup' and back.kind = 'suspense'))
    union all
    select 'Every refund and dispute at a provider is in the books', r.id
    from public.payment_reversals r
    cross join lateral (select r.provider || ':' || r.kind || ':' || r.reference as key) as named
    where r.amount_cents <> case when r.money = 'kept' then 0 else (
        select coalesce(sum(t.amount_cents), 0) from ledger.transfers t
        where t.key in (named.key, named.key || ':owed')
      ) + coalesce((select sum(amount_cents) from moved where what = 'covered' and of_key = named.key), 0) end
      or r.excess_minor <> case when r.money = 'kept' then 0 else (
        select coalesce(sum(t.amount_cents), 0) from ledger.transfers t where t.key = named.key || ':excess'
      ) - coalesce((select sum(amount_cents) from moved where what = 'freed' and of_key = named.key), 0) end
      or (case when r.money = 'returned' then r.amount_cents else 0 end) <> (
        select coalesce(sum(t.amount_cents), 0) from ledger.transfers t where t.key = named.key || ':returned')
    union all
    select 'Nobody paid more than they owed', a.id::text
    from ledger.accounts a join ledger.transfers t on a.id in (t.from_account, t.to_account)
    where a.kind = 'receivable'
    group by a.id having sum(case when t.to_account = a.id then t.amount_cents else -t.amount_cents end) > 0
  )
  select names.name, count(failures.name)::int as broken, min(failures.sample) as sample
  from (values
    ('Stored balance equals the sum of the transfers'), ('Stored version equals the last transfer''s'),
    ('Versions follow each other without a gap'), ('Each balance follows from the one before'),
    ('No wallet was ever below zero'), ('Both sides of a transfer are what their kind says'),
    ('The accounts of a currency add up to zero'), ('Every order was paid by exactly its charge'), ('No order was refunded more than it cost'),
    ('Every paid top-up was credited'), ('No top-up was credited twice'),
    ('Every credit of a top-up is what its intent says'), ('No payment was taken back beyond its credit'),
    ('Every reversal mirrors the transfer it undoes'), ('Every refund and dispute at a provider is in the books'),
    ('Nobody paid more than they owed')
  ) as names(name)
  left join failures on failures.name = names.name
  group by names.name order by names.name`;

const totalsQuery = sql`
  select a.kind, a.currency,
    coalesce(sum(case when t.to_account = a.id then t.amount_cents else -t.amount_cents end), 0)::bigint as balance_cents,
    (select sum(s.balance_cents) from ledger.accounts s
     where s.guarded and s.kind = a.kind and s.currency = a.currency)::bigint as stored_cents
  from ledger.accounts a
  join ledger.transfers t on a.id in (t.from_account, t.to_account)
  group by a.kind, a.currency order by a.kind, a.currency`;
