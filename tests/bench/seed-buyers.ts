import type postgres from 'postgres';
import type { ScaleSize } from './seed-scale';

type Agency = { agencyId: string; agencyOwnerId: string };

/**
 * A team for every hundredth user. The first one is the agency, with 50 members and 100 projects, and the others have three
 * members and two projects. Creates the table `agency` with the members who order. Reads the table `people`.
 */
export async function seedTeams(sql: postgres.Sql, { users }: Pick<ScaleSize, 'users'>): Promise<Agency> {
  await sql`create temp table members as
    select pg_temp.id_at(now() - interval '728 days', nth) as account_id, nth, people.id as user_id, people.email, seat
    from generate_series(1, ${Math.ceil(users / 100)}::bigint) as nth
    cross join lateral generate_series(0, case when nth = 1 then 49 else 2 end) as seat
    join people on people.role = 'User' and people.place = case when nth = 1 then 20 else 68 + 3 * nth end + seat`;
  await sql`
    insert into accounts (id, kind, name, email, created_at)
    select account_id, 'team', 'Agency ' || nth, email, now() - interval '728 days' from members where seat = 0`;
  await sql`
    insert into account_members (account_id, user_id, role, monthly_limit_cents, project_ids, created_at)
    select account_id, user_id, case seat when 0 then 'owner' when 1 then 'manager' when 2 then 'finance' else 'buyer' end,
      case when seat > 2 then 100000 end, null, now() - interval '1 day' * (100 - seat)
    from members`;
  await sql`insert into account_controllers (account_id, controller_id) select account_id, user_id from members`;
  await sql`
    insert into account_invitations (id, account_id, role, email, token_hash, invited_by, expires_at)
    select account_id, account_id, 'buyer', 'invited' || nth || '@example.com', 'seed' || nth, user_id, now() + interval '5 days'
    from members where seat = 0`;
  await sql`
    insert into projects (id, account_id, domain, description, niche, post_type, target_url, keywords, country, created_at)
    select pg_temp.id_at(at, 1000000000 + 1000 * nth + n), account_id, 'client' || nth || '-' || n || '.example.com', 'A client',
      'General', 'Guest posts', 'https://client' || nth || '-' || n || '.example.com/', 'spade, rake', 'USA', at
    from members, generate_series(1, case when nth = 1 then 100 else 2 end) as n,
      lateral (select now() - interval '728 days' + interval '1 minute' * n as at) as clock
    where seat = 0`;
  await sql`create temp table agency as
    select account_id as id, array_agg(user_id order by seat) filter (where seat <> 2) as user_ids from members where nth = 1 group by 1`;
  const [agency] = await sql<Agency[]>`
    select account_id as "agencyId", user_id as "agencyOwnerId" from members where nth = 1 and seat = 0`;
  if (!agency) throw new Error('The seed has no agency.');
  return agency;
}

/**
 * What buyers keep beside their orders: carts, requests for approval, linked and blocked domains, marks, filters, reports
 * and tokens. The largest buyer and the agency have as many as their limits allow or more; others have a few. Reads the
 * tables `plan`, `members` and `owned`.
 */
export async function seedBuyersLists(
  sql: postgres.Sql,
  { users, sites }: ScaleSize,
  { buyerId, agencyId, projectId }: { buyerId: string; agencyId: string; projectId: string },
): Promise<void> {
  const isLarge = (column: postgres.Fragment) => sql`${column} in (${buyerId}, ${agencyId})`;
  await sql`
    insert into carts (id, account_id, project_id, name, created_at, updated_at)
    select pg_temp.id_at(at, row_number() over (order by account_id, id)), account_id, id, domain, at, at
    from owned, (select now() - interval '3 days' as at) as clock where ${isLarge(sql`account_id`)}
    union all
    select pg_temp.id_at(at, 1000 + place), id, null, 'My cart', at, at
    from people, (select now() - interval '2 days' as at) as clock where role = 'User' and place % 10 = 5`;
  await sql`
    insert into cart_items (cart_id, site_id, position, brief, shown_price_cents)
    select cart.id, 1 + (cart.nth * 31 + part * 977) % ${sites}::bigint, part, '{}', 5000
    from (select *, row_number() over (order by id) as nth from carts) as cart
    cross join lateral generate_series(0, case when project_id is null then 2 else 9 end) as part`;
  // One request of the agency for a hundred orders, and three of each other team; one in twenty of them is open.
  await sql`create temp table asked as
    select pg_temp.id_at(at, 1000000000 + n) as id, n, plan.account_id, plan.project_id, plan.user_id, site_id, cents, at,
      case when n / 100 % 20 = 0 then 'open' when n / 100 % 20 = 1 then 'declined' when n / 100 % 20 = 2 then 'expired'
        else 'approved' end as state
    from plan where account_id = ${agencyId} and n % 100 = 1
    union all
    select pg_temp.id_at(at, 2000000000 + 10 * members.nth + part), part, members.account_id, project.id, members.user_id, 1 + members.nth % ${sites}, 5000,
      at, case when part = 0 then 'open' else 'declined' end
    from members join owned project using (account_id), generate_series(0, 2) as part,
      lateral (select now() - interval '1 day' * (1 + part) as at) as clock
    where members.seat = 0 and members.nth > 1 and project.nth = 0`;
  await sql`
    insert into order_requests (id, account_id, project_id, requested_by, body, total_cents, reasons, state, decided_at,
      expires_at, created_at, updated_at)
    select id, account_id, project_id, user_id,
      jsonb_build_object('kind', 'custom', 'projectId', project_id, 'siteIds', jsonb_build_array(site_id)), cents,
      '[{"code":"approval_above","limitCents":1000}]', state, case when state <> 'open' then at + interval '1 day' end,
      greatest(at + interval '14 days', now() + interval '9 days'), at, at
    from asked order by id`;
  await sql`
    insert into order_request_lines (id, request_id, site_id, position, cents, state)
    select id, id, site_id, 0, cents, case state when 'approved' then 'approved' when 'open' then 'open' else 'declined' end
    from asked`;
  // As many domains as sites link to the first project of the largest buyer, half of them of sites.
  await sql`
    insert into project_linked_domains (project_id, domain, source, state, seen_on)
    select project_id, domain, 'ahrefs', case when nth % 10 = 0 then 'lost' else 'live' end, '2026-10-01'
    from (
      select ${projectId} as project_id, domain, id as nth from sites where id % 2 = 0
      union all
      select ${projectId}, 'other' || n || '.example', n from generate_series(1, ${sites / 2}::int) as n
      union all
      select id, 'other' || n || '.example', n from owned, generate_series(1, 20) as n where owned.nth = 1
    ) as linked`;
  await sql`
    insert into project_anchors (project_id, source, anchor, is_image, links)
    select ${projectId}, 'ahrefs', 'anchor ' || n, false, 1 + n % 50 from generate_series(1, ${users / 10}::int) as n`;
  await sql`
    insert into project_link_sources (project_id, source, live, lost, unknown, anchors)
    select project_id, source, count(*) filter (where state = 'live'), count(*) filter (where state = 'lost'), 0, (
      select coalesce(sum(links), 0) from project_anchors anchor where anchor.project_id = domains.project_id)
    from project_linked_domains domains group by project_id, source`;
  await sql`
    insert into blocked_domains (account_id, project_id, domain)
    select id, null, 'blocked' || n || '.example'
    from accounts, generate_series(1, case when ${isLarge(sql`id`)} then 1000 else 3 end) as n
    where ${isLarge(sql`id`)} or hashtext(id) % 20 = 0`;
  await sql`
    insert into site_marks (account_id, kind, site_id)
    select account_id, kind, site.id
    from (
      select id as account_id, 'favourite' as kind, 1 + (n * 613) % ${sites}::bigint as site_id
      from accounts, generate_series(1, case when ${isLarge(sql`id`)} then 500 else 3 end) as n
      where ${isLarge(sql`id`)} or hashtext(id) % 5 = 0
      union all
      select id, 'hidden', 1 + (n * 617) % ${sites}::bigint from accounts, generate_series(1, 300) as n where ${isLarge(sql`id`)}
    ) as marks
    join sites site on site.id = marks.site_id on conflict do nothing`;
  await sql`
    insert into saved_filters (id, user_id, name, query)
    select pg_temp.id_at(now(), 100 * row_number() over () + n), id, 'Filter ' || n, 'country=Denmark'
    from people, generate_series(1, 10) as n where id = ${buyerId} or id in (select user_id from members where nth = 1)`;
  await sql`
    insert into client_reports (id, project_id, account_id, prices, brand_name, brand_color, from_day, to_day, created_at)
    select pg_temp.id_at(at, 1000 * row_number() over (order by id) + n), id, account_id, 'none', domain, '#336699',
      (at - interval '30 days')::date, at::date, at
    from owned, generate_series(1, 10) as n, lateral (select now() - interval '30 days' * n as at) as clock
    where ${isLarge(sql`account_id`)} or account_id in (select account_id from members)`;
  await sql`
    insert into client_report_notes (order_id, reference, note)
    select n, 'Client ' || n, 'Agreed by mail' from plan where account_id = ${agencyId} and n % 100 = 1`;
  await sql`
    insert into api_tokens (id, user_id, account_id, name, secret_hash, last_four, scopes, created_at)
    select token, user_id, account_id, 'Program', 'seed ' || token, '0000', '{}', now()
    from (
      select pg_temp.id_at(now(), 1000000 + 10 * place + n) as token, id as user_id,
        case when id in (select user_id from members where nth = 1) then ${agencyId} else id end as account_id
      from people, generate_series(1, case when place <= 20 then 10 else 1 end) as n
      where role = 'User' and (place <= 20 or place % 20 = 0)
    ) as tokens`;
}
