import type postgres from 'postgres';
import type { TaxLine } from '@/db/schema/invoices';
import type { DocumentSeller } from '@/db/schema/tax';
import { createReference } from '@/lib/payments/bank-transfers/reference';

const operator: DocumentSeller = {
  name: 'Links Ltd',
  street: '1 Station Road',
  postcode: 'D01 F5P2',
  city: 'Dublin',
  region: '',
  country: 'IE',
  vatId: '',
  taxNumber: '',
  registration: '123456',
  contact: { name: '', phone: '', email: '' },
};
const untaxed: Omit<TaxLine, 'netCents'> = {
  rate: 0,
  category: 'O',
  reason: 'VATEX-EU-O',
  text: 'Not subject to VAT',
  country: '',
  taxCents: 0,
};

/**
 * The documents of every movement, as the job issues them: an invoice for each order, a credit note for each refund and a
 * receipt for each credit; billing profiles, deliveries of a part of the invoices, and the self-billed statements of every
 * second seller. Reads the tables `plan`, `moves` and `earnings`.
 */
export async function seedDocuments(sql: postgres.Sql): Promise<void> {
  const taxes = (cents: postgres.Fragment) =>
    sql`jsonb_build_array(${sql.json(untaxed)}::jsonb || jsonb_build_object('netCents', ${cents}))`;
  await sql`create temp table parties as
    select id as account_id, jsonb_build_object('name', name, 'company', '', 'street', '', 'postcode', '', 'city', '',
      'region', '', 'country', 'IE', 'vatId', '', 'reference', '', 'email', email, 'vatCheck', null) as buyer
    from accounts`;
  await sql`
    insert into billing_profiles (account_id, company, street, postcode, city, region, country, vat_id, reference, email)
    select account_id, 'Shop ' || nth, nth || ' High Street', 'D02', 'Dublin', '', 'IE', '', '', ''
    from (select account_id, row_number() over (order by account_id) as nth from parties) as numbered where nth % 3 = 0`;
  await sql`
    insert into invoices (id, kind, year, number, account_id, order_id, movement_key, amount_cents, taxes, seller, buyer, moved_at, issued_at)
    select id, kind, year, row_number() over (partition by kind, year order by id), account_id, n, key,
      amount, ${taxes(sql`amount`)},
      ${sql.json(operator)}, buyer, at, at
    from (
      select id, n, account_id, key, amount, at, case kind when 'order' then 'invoice' else 'credit_note' end as kind,
        extract(year from at at time zone 'UTC')::int as year
      from moves where kind in ('order', 'order_refund')
    ) as moved
    join parties using (account_id) order by id`;
  await sql`
    insert into receipts (id, year, number, account_id, movement_key, amount_cents, paid_minor, paid_currency, method,
      moved_at, seller, buyer, issued_at)
    select id, year, row_number() over (partition by year order by id), account_id, key, amount, amount, 'USD',
      case kind when 'topup' then 'Stripe' else 'Credit by staff' end, at, ${sql.json(operator)}, buyer, at
    from (select *, extract(year from at at time zone 'UTC')::int as year from moves where kind in ('topup', 'manual_topup')) as moved
    join parties using (account_id) order by id`;
  await sql`
    insert into invoice_counters (kind, year, last)
    select kind, year, max(number) from invoices group by kind, year
    union all select 'receipt', year, max(number) from receipts group by year`;
  await sql`
    insert into tax_rollups (day, kind, country, rate, category, currency, documents, net_cents, tax_cents, net_minor, tax_minor)
    select (moved_at at time zone 'UTC')::date, kind, '', 0, ${untaxed.category}, '', count(*), sum(amount_cents), 0, 0, 0
    from invoices group by 1, 2`;
  await sql`insert into invoice_cursor (position) select max(position) from ledger.transfers`;
  await sql`
    insert into invoice_deliveries (id, invoice_id, channel, state, attempts, next_attempt_at, give_up_at, sent_at,
      finished_at, last_error, created_at, updated_at)
    select id, id, 'peppol', state, 1, null, issued_at + interval '1 day', issued_at, issued_at,
      case when state = 'rejected' then 'The receiver is unknown.' else '' end, issued_at, issued_at
    from (
      select id, issued_at,
        case number % 400 when 0 then 'rejected' when 20 then 'incomplete' when 40 then 'failed' else 'delivered' end as state
      from invoices where number % 20 = 0
    ) as sent order by id`;
  await seedStatements(sql, taxes);
}

/** The statements of all months before this one. */
async function seedStatements(
  sql: postgres.Sql,
  taxes: (cents: postgres.Fragment) => postgres.Fragment,
): Promise<void> {
  await sql`
    insert into seller_billing_profiles (seller_id, legal_name, address, country, agreed_at, next_month)
    select id, name, '2 Market Street', 'IE', created_at, to_char(now() at time zone 'UTC', 'YYYY-MM')
    from users where id in (select id from people where role = 'Seller' and place % 2 = 1)`;
  await sql`create temp table billed as
    select owner as seller_id, month, n, sum(amount) filter (where moves.kind = 'ripening') as cents,
      coalesce(sum(amount) filter (where moves.kind = 'earning'), 0) as earned
    from (select *, to_char(at at time zone 'UTC', 'YYYY-MM') as month from earnings) as moves
    join ledger.accounts on accounts.id = pending join seller_billing_profiles on seller_id = owner
    where month < to_char(now() at time zone 'UTC', 'YYYY-MM')
    group by owner, month, n having sum(amount) filter (where moves.kind = 'ripening') > 0`;
  await sql`
    insert into seller_statements (id, year, number, seller_id, month, billed_cents, taxes, fee_cents, earned_cents,
      returned_cents, placement_count, legal_name, address, tax_id, country, operator, issued_at)
    select pg_temp.id_at(issued_at, place), year, row_number() over (partition by year order by issued_at, place), seller_id,
      month, cents, ${taxes(sql`cents`)}, 0, earned, 0, lines, legal_name, address, tax_id, country, ${sql.json(operator)}, issued_at
    from (
      select seller_id, month, sum(cents) as cents, sum(earned) as earned, count(*) as lines,
        (to_date(month, 'YYYY-MM') + interval '1 month 1 day') at time zone 'UTC' as issued_at,
        extract(year from to_date(month, 'YYYY-MM') + interval '1 month 1 day')::int as year
      from billed group by seller_id, month
    ) as months
    join seller_billing_profiles using (seller_id) join people on people.id = seller_id`;
  await sql`
    insert into seller_statement_lines (statement_id, order_id, website, amount_cents)
    select statement.id, n, plan.url, billed.cents
    from billed join seller_statements statement using (seller_id, month) join plan using (n)`;
  await sql`
    insert into seller_statement_counters (year, last) select year, max(number) from seller_statements group by year`;
}

/**
 * What providers and banks report: a line of a statement for each top-up and a notification, some refused refunds and won
 * disputes, requests of bank transfers, and transfers that match none of them.
 */
export async function seedPayments(sql: postgres.Sql, { buyerId }: { buyerId: string }): Promise<void> {
  await sql`
    insert into settlement_lines (id, provider, mode, reference, type, provider_type, gross_minor, fee_minor, net_minor,
      currency, source, payment_reference, occurred_at, read_at, topup_id, outcome, next_check_at)
    select id, provider, mode, 'txn_' || id, 'charge', 'charge', amount_cents, 0, amount_cents, 'USD',
      payment_reference, payment_reference, paid_at, paid_at + interval '1 day', id, 'booked', null
    from topups order by id`;
  await sql`
    insert into settlement_positions (provider, mode, started_at, read_until, ledger_seen_at, last_read_at)
    values ('stripe', 'live', now() - interval '731 days', now(), now(), now())`;
  await sql`
    insert into webhook_events (id, provider, mode, event_id, type, payload, received_at, processed_at, retry_at)
    select id, provider, mode, 'evt_' || id, 'checkout.session.completed', '{}', paid_at, paid_at, null
    from topups order by id`;
  await sql`
    insert into source_refunds (id, topup_id, account_id, provider, mode, payment_reference, state, amount_cents, currency,
      charge_minor, charge_currency, reason, requested_by, ended_at, created_at, updated_at)
    select topups.id, topups.id, topups.account_id, provider, mode, payment_reference, topups.state, 100, 'USD', 100, 'USD',
      'Paid twice', user_id, case when topups.state <> 'requested' then paid_at end, paid_at, paid_at
    from (
      select *, case when nth % 200 = 0 then 'requested' when nth % 3 = 0 then 'withdrawn' else 'declined' end as state
      from (select *, row_number() over (order by id) as nth from topups) as numbered where nth % 10 = 0
    ) as topups
    join plan on 'pi_seed_' || n = payment_reference`;
  await sql`
    insert into payment_reversals (id, topup_id, provider, mode, kind, payment_reference, reference, amount_minor, currency,
      outcome, reason, happened_at, created_at, updated_at)
    select id, id, provider, mode, 'dispute', payment_reference, 'dp_' || id, charge_amount_minor, 'USD',
      case when nth % 400 <> 5 then 'won' end, 'fraudulent', paid_at, paid_at, paid_at
    from (select *, row_number() over (order by id) as nth from topups) as numbered where nth % 20 = 5`;
  await sql`
    insert into bank_transfer_requests (id, account_id, reference, amount_cents, pay_minor, currency, account, expires_at,
      created_at, updated_at)
    select pg_temp.id_at(at, n), account_id, 'LM-' || n, cents, cents, 'USD', '{"currency":"USD","holder":"Links Ltd","iban":"","bic":"","accountNumber":"123456","routingNumber":"021000021","bankName":""}', at + interval '30 days', at, at
    from plan where n % 100 = 0`;
  // A reference that the application finds.
  await sql`
    update bank_transfer_requests set reference = ${createReference()}
    where id = (select max(id) from bank_transfer_requests where account_id = ${buyerId})`;
  await sql`
    insert into ledger.accounts (kind, owner, currency, guarded)
    values ('bank', 'transfers', 'USD', false), ('suspense', '', 'USD', false) on conflict do nothing`;
  await sql`
    insert into bank_lines (id, key, content_key, account, booked_on, amount_minor, currency, is_reversal, remittance,
      payer_name, file_sha256, uploaded_by, state, reason, created_at, updated_at)
    select pg_temp.id_at(at, n), 'seed:' || n, 'seed:' || n, '123456', at::date, cents, 'USD', false, 'Links', 'Shop ' || n, 'seed', user_id,
      'unmatched', 'no_reference', at, at
    from plan where n % 1000 = 8`;
  await sql`
    insert into ledger.transfers (id, key, kind, from_account, to_account, amount_cents, currency, method, note, meta,
      effective_at, created_at)
    select pg_temp.id_at(at, 8 * n + 5), 'bank:' || pg_temp.id_at(at, n), 'suspense', bank.id, suspense.id, cents, 'USD',
      'Bank transfer', 'Arrived at the bank', jsonb_build_object('bankLine', pg_temp.id_at(at, n)), at, at
    from plan, ledger.accounts bank, ledger.accounts suspense
    where n % 1000 = 8 and bank.kind = 'bank' and bank.owner = 'transfers' and suspense.kind = 'suspense'`;
}
