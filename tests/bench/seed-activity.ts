import type postgres from 'postgres';

/**
 * What happens beside orders and is kept for a while: events with their deliveries, mails and notices of the last weeks;
 * what is known of sites: figures, proofs of ownership, options and views; and what staff keep: notes, tags, approvals and
 * licenses. Reads the tables `plan`, `people` and `members`.
 */
export async function seedActivity(
  sql: postgres.Sql,
  { buyerId, agencyId, sellerId }: { buyerId: string; agencyId: string; sellerId: string },
): Promise<void> {
  await sql`create temp table recent as
    select n, account_id, user_id, seller_id, state, url, cents, status, at + interval '5 days' as at
    from plan where at > now() - interval '33 days'`;
  await sql`analyze recent`;
  await sql`
    insert into events (id, type, audience, account_id, data, position, created_at)
    select pg_temp.id_at(at, 3 * n + part), case part when 1 then 'placement.offered' else 'order.created' end,
      case part when 0 then 'buyer' when 1 then 'seller' else 'installation' end,
      case part when 0 then account_id when 1 then seller_id end,
      jsonb_build_object('id', n, 'website', url, 'status', status), row_number() over (order by at, n, part), at
    from recent, generate_series(0, 2) as part where part <> 1 or state is not null order by at, n, part`;
  // Endpoints that are off, so that the job sends nothing.
  await sql`
    insert into webhook_endpoints (id, owner_id, is_installation, url, events, sealed_secret, is_enabled, off_reason, disabled_at)
    select pg_temp.id_at(now() - interval '40 days', 10 * row_number() over (order by owner) + part), owner, part = 0,
      'https://hooks.example.com/' || part,
      case when part = 0 then '{order.created}' else '{order.created,placement.offered}' end::text[], 'seed', false, 'owner',
      now()
    from unnest(array[${buyerId}, ${agencyId}, ${sellerId}]) as owner, generate_series(0, 5) as part`;
  await sql`
    insert into webhook_deliveries (id, endpoint_id, event_id, state, attempts, next_attempt_at, give_up_at, last_status,
      finished_at, created_at)
    select pg_temp.id_at(event.created_at, row_number() over (order by event.position, endpoint.id)), endpoint.id, event.id,
      case when event.position % 50 = 0 then 'failed' else 'delivered' end, 1, null, event.created_at + interval '1 day',
      case when event.position % 50 = 0 then 500 else 200 end, event.created_at, event.created_at
    from webhook_endpoints endpoint
    join events event on case when is_installation then event.account_id is null else event.account_id = endpoint.owner_id end`;
  await sql`
    insert into webhook_attempts (id, delivery_id, url, request_headers, status, duration_ms, at)
    select id, id, 'https://hooks.example.com/', '{}', last_status, 40, created_at from webhook_deliveries`;
  await sql`
    insert into mails (id, kind, recipient, subject, created_at, attempts, sent_at, failed_at, error)
    select pg_temp.id_at(at, n), 'notice', email, 'Order #' || n, at, 1, case when n % 100 > 0 then at end,
      case when n % 100 = 0 then at end, case when n % 100 = 0 then 'The mailbox is unknown.' end
    from recent join people on people.id = user_id order by at`;
  await sql`
    insert into notices (user_id, account_id, kind, subject, order_id, created_at)
    select case part when 0 then user_id else seller_id end, case when part = 0 and account_id <> user_id then account_id end,
      case part when 0 then 'order.accepted' else 'placement.offered' end, '#' || n || ' ' || url, n, at
    from recent, generate_series(0, 1) as part where state is not null order by at`;
  await sql`
    insert into message_reads (order_id, account_id, last_message_id, unread_count)
    select order_id, account_id, max(message.id), case when order_id % 20 = 0 then 1 else 0 end
    from order_messages message join plan on n = order_id group by order_id, account_id`;
  await seedSiteFacts(sql);
  await seedStaffRecords(sql);
}

async function seedSiteFacts(sql: postgres.Sql): Promise<void> {
  await sql`
    insert into domain_figures (domain, metric, value, source, as_of, site_id)
    select domain, metric, value, 'seller', '2026-10-01', id
    from sites, lateral (values ('dr', dr), ('traffic', traffic)) as figure(metric, value) where value is not null
    order by id`;
  await sql`
    insert into domain_figures (domain, metric, value, source, as_of)
    select domain, metric, value, source, '2026-11-01'
    from sites, lateral (values ('dr', dr, 'ahrefs'), ('traffic', traffic, 'search_console')) as figure(metric, value, source)
    where is_dr_measured and value is not null order by id`;
  await sql`
    insert into ownership_proofs (seller_id, domain, method, verified_at, checked_at, next_check_at)
    select owner_id, domain, 'dns', now() - interval '20 days', now() - interval '1 day', now() + interval '20 days'
    from sites where ownership = 'owner' on conflict do nothing`;
  await sql`
    insert into site_options (id, site_id, kind, days, seller_cents)
    select pg_temp.id_at(now(), id), id, 'guarantee', 365, 500 from sites where id % 5 = 0`;
  await sql`
    insert into site_view_days (owner_id, day, views)
    select id, current_date - day, 1 + (place + day) % 40 from people, generate_series(0, 80) as day
    where role = 'Seller' and place % 10 in (1, 5)`;
  await sql`
    insert into order_changes (id, order_id, buyer_id, seller_id, state, text, seller_cents, margin_cents, ended_at, created_at, updated_at)
    select pg_temp.id_at(at, n), n, account_id, seller_id, case when n % 400 = 0 then 'asked' else 'withdrawn' end,
      'Another anchor', 100, 20, case when n % 400 > 0 then at end, at, at
    from plan where state = 'approved' and n % 100 = 0`;
}

async function seedStaffRecords(sql: postgres.Sql): Promise<void> {
  await sql`
    insert into staff_notes (order_id, author_id, text, created_at)
    select n, user_id, 'Called the buyer.', at from plan where n % 100 = 0`;
  await sql`
    insert into staff_notes (user_id, author_id, text)
    select id, id, 'Pays by invoice.' from people where place % 50 = 0`;
  await sql`insert into order_tags (order_id, tag) select n, 'urgent' from plan where n % 100 = 0`;
  await sql`insert into user_tags (user_id, tag) select id, 'key account' from people where place % 50 in (0, 1)`;
  await sql`
    insert into approvals (id, kind, subject, payload, summary, amount_cents, beneficiary_id, state, requested_by,
      requested_at, decided_by, decided_at)
    select pg_temp.id_at(at, n), 'manual_topup', 'wallet:' || account_id || ':' || n, '{}', 'Credit of $10.00', 1000, account_id,
      case when n % 2000 = 0 then 'rejected' else 'approved' end, user_id, at, user_id, at
    from plan where n % 1000 = 0`;
  await sql`
    insert into licenses (name, key, user_id)
    select 'License ' || place, 'KEY-' || place, id from people where role = 'User' and place % 100 = 0`;
  await sql`
    insert into commission_rules (id, seller_id, margin_basis_points)
    select pg_temp.id_at(now(), place), id, 2500 from people where role = 'Seller' and place % 100 = 1`;
}
