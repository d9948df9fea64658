import type postgres from 'postgres';
import { payoutMethodSlot } from '@/lib/payouts/methods/show';
import { sealSecret } from '@/lib/platform/secrets';

const details = JSON.stringify({
  kind: 'bank',
  format: 'iban',
  holder: 'A seller',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
});

/**
 * A payout for every eighth placement that is closed, of what it brought: the newest of each seller was requested, and the
 * others of the last two weeks were sent. Their transfers are made from the table `paid_out`. Reads the table `plan`.
 */
export async function seedPayouts(sql: postgres.Sql): Promise<void> {
  await sql`create temp table paid_out as
    select pg_temp.id_at(at, n) as id, *, case when at < now() - interval '14 days' then 'paid'
        when row_number() over (partition by seller_id order by at desc, n desc) = 1 then 'requested' else 'sent' end as state
    from (
      select n, seller_id, plan.at + interval '6 days' as at, seller_cents as amount, payable.id as payable
      from plan join ledger.accounts payable on payable.kind = 'seller_payable' and payable.owner = seller_id
      where state = 'closed' and n % 8 = 0 and plan.at < now() - interval '8 days'
    ) as parts`;
  await sql`analyze paid_out`;
  const sellers = await sql<{ sellerId: string; id: string }[]>`
    select seller_id as "sellerId", pg_temp.id_at(now() - interval '729 days', row_number() over (order by seller_id)) as id
    from (select distinct seller_id from paid_out) as sellers`;
  for (let from = 0; from < sellers.length; from += 5_000) {
    const methods = sellers
      .slice(from, from + 5_000)
      .map((method) => ({ ...method, sealed: sealSecret(payoutMethodSlot(method), details) }));
    await sql`
      insert into payout_methods (id, seller_id, kind, sealed_details, last_four, usable_at, created_at)
      select id, "sellerId", 'bank', sealed, '3000', now() - interval '727 days', now() - interval '729 days'
      from jsonb_to_recordset(${sql.json(methods)}) as method(id text, "sellerId" text, sealed text)`;
  }
  await sql`insert into payout_profiles (seller_id) select seller_id from payout_methods`;
  // One file of the bank in a week.
  await sql`
    insert into payout_batches (id, kind, execution_date, payout_count, total_cents, created_at, updated_at)
    select pg_temp.id_at(week, 1), 'csv', to_char(week, 'YYYY-MM-DD'), count(*), sum(amount), week, week
    from (select *, date_trunc('week', at, 'UTC') as week from paid_out where state <> 'requested') as sent
    group by week`;
  await sql`
    insert into payouts (id, seller_id, method_id, method_kind, state, amount_cents, fee_cents, approved_at, batch_id,
      sent_at, paid_at, created_at, updated_at)
    select paid_out.id, paid_out.seller_id, method.id, 'bank', state, amount, 0,
      case when state <> 'requested' then at end,
      case when state <> 'requested' then pg_temp.id_at(date_trunc('week', at, 'UTC'), 1) end,
      case when state <> 'requested' then at end, case when state = 'paid' then at + interval '2 days' end, at, at
    from paid_out join payout_methods method using (seller_id) order by paid_out.id`;
}
