import postgres from 'postgres';
import { newId } from '@/lib/ids';
import { buildAuditRows } from '@/lib/platform/audit/record';
import { seedActivity } from './seed-activity';
import { seedBuyersLists, seedTeams } from './seed-buyers';
import { seedCatalogue } from './seed-catalogue';
import { seedDocuments, seedPayments } from './seed-documents';
import { seedPayouts } from './seed-payouts';
import { seedEarnings, seedLinks, seedPlacements } from './seed-placements';

/** The number of rows of a seeded installation. */
export type ScaleSize = {
  users: number;
  sites: number;
  orders: number;
  auditLines: number;
  /** Orders of the largest buyer, and sites of the largest seller. */
  largestBuyer: number;
  largestSeller: number;
};

/** Every screen is measured at the size with the share 1. The orders give three transfers each. */
const sizeOf = (share: number): ScaleSize => ({
  users: Math.round(200_000 * share),
  sites: Math.round(1_000_000 * share),
  orders: Math.round(3_000_000 * share),
  auditLines: Math.round(2_000_000 * share),
  largestBuyer: Math.round(200_000 * share),
  largestSeller: Math.round(50_000 * share),
});

/** BENCH_SCALE is the share of the full size, e.g. 0.3 for a first look. */
export const largeSize = sizeOf(Number(process.env.BENCH_SCALE ?? 1));

/** A thousandth of the full size: about the demo. */
export const smallSize = sizeOf(0.001);

type People = Record<
  'buyerId' | 'ordinaryBuyerId' | 'projectId' | 'agencyId' | 'agencyOwnerId' | 'sellerId' | 'ordinarySellerId',
  string
>;
/**
 * Ids of rows that are measured on their own: `transferMiddle` is in the middle of all transfers, and `roomId` is an order
 * with 500 messages.
 */
export type ScalePeople = People & { transferMiddle: string; roomId: string };

/**
 * Fills an empty, migrated database with users, teams, sites, projects, orders, placements, links, transfers, documents,
 * payouts, payments, events and audit lines of two years, the same in every run. `verifyBooks` and `verifyAuditChain` accept
 * the result. Audit lines are queued for sealing, not sealed.
 * @param adminUrl the owner's URL: secondary indexes are built after the rows, which is faster
 * @param onStep called before each step with its name
 */
export async function seedScale(
  adminUrl: string,
  size: ScaleSize,
  onStep: (name: string) => Promise<void> | void = () => undefined,
): Promise<ScalePeople> {
  await onStep('catalog');
  await seedCatalogue(adminUrl, size.sites);
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  const step = async (tables: string[], run: () => Promise<void>) => {
    await onStep(tables.join(', '));
    await withoutIndexes(sql, tables, run);
  };
  try {
    await sql`set synchronous_commit = off`;
    await sql`set maintenance_work_mem = '512MB'`;
    await sql`set work_mem = '128MB'`;
    // The job computes the records of all.
    await sql`set linkmarket.marks_records = 'off'`;
    await createHelpers(sql);
    await onStep('users');
    const people = await seedUsers(sql, size);
    await onStep('orders planned');
    await planOrders(sql, size);
    await step(['checkouts', 'orders'], () => seedOrders(sql, size));
    await step(['order_briefs', 'topups', 'placements', 'placement_events'], async () => {
      await seedPlacements(sql);
      await seedTopups(sql);
    });
    await step(['link_watches', 'link_checks', 'link_proofs'], () => seedLinks(sql));
    await step(['transfers', 'payouts'], () => seedTransfers(sql));
    await step(['invoices', 'receipts', 'invoice_deliveries'], () => seedDocuments(sql));
    await step(['settlement_lines', 'bank_lines', 'webhook_events'], () => seedPayments(sql, people));
    await step(['cart_items', 'project_linked_domains', 'order_request_lines'], () =>
      seedBuyersLists(sql, size, people),
    );
    await step(['domain_figures', 'events', 'webhook_deliveries', 'webhook_attempts', 'mails', 'notices'], () =>
      seedActivity(sql, people),
    );
    await step(['audit_logs'], () => seedAuditLines(sql, size));
    await onStep('vacuum');
    await sql`vacuum analyze`;
    const [middle] = await sql<{ id: string }[]>`
      select id from ledger.transfers order by id limit 1 offset (select count(*) / 2 from ledger.transfers)`;
    const [room] = await sql<{ id: string }[]>`
      select order_id::text as id from order_messages group by order_id having count(*) = 500 limit 1`;
    return { ...people, transferMiddle: middle?.id ?? '', roomId: room?.id ?? '' };
  } finally {
    await sql.end();
  }
}

/** Functions of the session: an id that sorts by time like `newId()`, and the time of the n-th of all rows. */
async function createHelpers(sql: postgres.Sql): Promise<void> {
  await sql`create function pg_temp.id_at(at timestamptz, n bigint) returns text immutable language sql
    as $$ select lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || lpad(to_hex(n), 14, '0') $$`;
  await sql`create function pg_temp.time_of(n bigint, total bigint) returns timestamptz stable language sql
    as $$ select date_trunc('second', now()) - interval '730 days' + interval '725 days' * (n::float8 / total) $$`;
}

/**
 * Runs a step without the secondary indexes and foreign keys of its tables, and creates them again afterwards: a key is then
 * checked by one join of the tables instead of a lookup for each row.
 */
async function withoutIndexes(sql: postgres.Sql, tables: string[], step: () => Promise<void>): Promise<void> {
  const indexes = await sql<{ schema: string; name: string; definition: string }[]>`
    select schemaname as schema, indexname as name, indexdef as definition from pg_indexes
    where tablename = any(${tables}) and indexdef not like '%UNIQUE%'`;
  const keys = await sql<{ owner: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as owner, quote_ident(conname) as name, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid where contype = 'f' and relname = any(${tables})`;
  for (const { owner, name } of keys) await sql.unsafe(`alter table ${owner} drop constraint ${name}`);
  for (const { schema, name } of indexes) await sql.unsafe(`drop index ${schema}.${name}`);
  await step();
  for (const { definition } of indexes) await sql.unsafe(definition);
  for (const { owner, name, definition } of keys) {
    await sql.unsafe(`alter table ${owner} add constraint ${name} ${definition}`);
  }
}

async function seedUsers(sql: postgres.Sql, size: ScaleSize): Promise<People> {
  const { users, sites, largestSeller } = size;
  await sql`
    insert into users (id, email, name, password_hash, status, role, created_at, updated_at)
    select pg_temp.id_at(at, n), 'person' || n || '@' || (array['mail', 'post', 'web', 'shop'])[1 + n % 4] || '.example.com',
      (array['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gus', 'Hana', 'Ivo', 'Jana'])[1 + n % 10] || ' '
        || (array['Stone', 'Field', 'Rivers', 'Woods', 'Hill', 'Lake', 'Moor'])[1 + n / 10 % 7] || ' ' || n,
      'none', case when n % 50 = 49 then 'Suspended' else 'Active' end,
      case when n % 10 = 0 then 'Seller' else 'User' end, at, at
    from (select n, pg_temp.time_of(n, ${users}) as at from generate_series(1, ${users}::bigint) as n) as people`;
  await sql`create temp table people as
    select id, email, role, row_number() over (partition by role order by id) as place from users where email like 'person%'`;
  await sql`create index on people (role, place)`;
  await sql`analyze people`;
  await sql`
    insert into sessions (id, user_id, created_at, expires_at, last_seen_at)
    select 's' || id, id, now() - interval '1 day', now() + interval '1 day',
      now() - interval '1 minute' * (place * 7919 % 100000)
    from people where place % 5 < 3`;
  await sql`
    update users set last_seen_at = sessions.last_seen_at from sessions where sessions.user_id = users.id`;
  // The first seller owns the largest part of the catalogue; the others share the rest.
  const assign = () => sql`
    update sites set owner_id = seller.id, created_at = pg_temp.time_of(sites.id, ${sites}::bigint),
      updated_at = pg_temp.time_of(sites.id, ${sites}::bigint)
    from people seller
    where seller.role = 'Seller' and seller.place = case when sites.id <= ${largestSeller} then 1
      else 2 + sites.id % greatest((select count(*) from people where role = 'Seller') - 1, 1) end`;
  await withoutIndexes(sql, ['sites'], async () => void (await assign()));
  await sql`
    insert into projects (id, account_id, domain, description, niche, post_type, target_url, keywords, country, created_at)
    select pg_temp.id_at(at, 1000 * place + n), id, 'shop' || place || '-' || n || '.example.com', 'A shop', 'General',
      'Guest posts', 'https://shop' || place || '-' || n || '.example.com/', 'spade, rake', 'USA', at
    from people, generate_series(1, case when place = 1 then 100 else 2 end) as n,
      lateral (select now() - interval '729 days' + interval '1 minute' * n as at) as clock
    where role = 'User'`;
  const agency = await seedTeams(sql, size);
  const pick = async (role: string, place: number) => {
    const [row] = await sql<{ id: string }[]>`select id from people where role = ${role} and place = ${place}`;
    if (!row) throw new Error(`The seed has no ${role} ${place}.`);
    return row.id;
  };
  const buyerId = await pick('User', 1);
  const [project] = await sql<{ id: string }[]>`select min(id) as id from projects where account_id = ${buyerId}`;
  return {
    buyerId,
    projectId: project?.id ?? '',
    ...agency,
    ordinaryBuyerId: await pick('User', 5),
    sellerId: await pick('Seller', 1),
    ordinarySellerId: await pick('Seller', 5),
  };
}

/**
 * Plans the orders, of one site each, as the temporary table `plan`: some of the largest buyer, one in 25 of the agency, and
 * the others of a quarter of the users.
 */
async function planOrders(sql: postgres.Sql, { orders, sites, largestBuyer }: ScaleSize): Promise<void> {
  const every = Math.round(orders / largestBuyer);
  await sql`create temp table buyers as
    select place, people.id as account_id, array[people.id] as user_ids from people where role = 'User'
    union all
    select 0, id, user_ids from agency`;
  await sql`create temp table owned as
    select id, account_id, domain, target_url, row_number() over (partition by account_id order by created_at) - 1 as nth,
      count(*) over (partition by account_id) as total
    from projects`;
  await sql`analyze buyers, owned`;
  await sql`create temp table plan as
    select n, at, buyer.account_id, buyer.user_ids[1 + turn % array_length(buyer.user_ids, 1)] as user_id, buyer.place,
      site.id as site_id, site.url, site.post_type, coalesce(site.public_price_cents, 5000) as cents,
      (array['Live', 'Completed', 'Live', 'Completed', 'Live', 'Processing', 'Live', 'Rejected', 'Pending', 'Refunded'])
        [case when n > ${orders * 0.99}::float8 then 9 else 1 + n / 5 % 10 end] as status,
      project.id as project_id, project.domain, project.target_url, site.owner_id as seller_id,
      -- Every second order is fulfilled by the owner of its site.
      n % 2 = 0 and site.seller_price_cents > 0 and site.seller_price_cents <= coalesce(site.public_price_cents, 5000)
        as has_placement, site.seller_price_cents::bigint as seller_cents, null::text as state
    from (
      select n, pg_temp.time_of(n, ${orders}) as at,
        case when n % ${every} = 0 then 1 when n % 50 in (1, 2) then 0
          else 2 + (n * 7919) % greatest((select count(*) from people where role = 'User') / 4, 1) end as place,
        case when n % ${every} = 0 then n / ${every} when n % 50 in (1, 2) then n / 50 else n end as turn
      from generate_series(1, ${orders}::bigint) as n
    ) as planned
    join buyers buyer using (place)
    join sites site on site.id = 1 + (n * 104729) % ${sites}
    join owned project on project.account_id = buyer.account_id and project.nth = turn % project.total`;
  await sql`
    update plan set state = case status when 'Live' then 'approved' when 'Completed' then 'closed' when 'Pending' then 'offered'
      when 'Refunded' then 'declined'
      when 'Processing' then (array['accepted', 'delivered', 'in_revision', 'disputed'])[1 + n / 50 % 4] end
    where has_placement`;
  await sql`analyze plan`;
}

async function seedOrders(sql: postgres.Sql, { orders }: ScaleSize): Promise<void> {
  await sql`
    insert into checkouts (id, account_id, request_hash, total_cents, created_at)
    select pg_temp.id_at(at, n), account_id, 'seed', cents, at from plan order by n`;
  await sql`
    insert into orders (id, account_id, ordered_by, checkout_id, kind, site_id, project_id, website, post_type, price_cents, currency,
      usd_micros_per_unit, charged_cents, status, link_url, project_domain, project_target_url, project_keywords,
      refund_count, is_fulfilled_by_seller, contact_data_at, created_at, updated_at)
    select n, account_id, user_id, pg_temp.id_at(at, n), 'custom', site_id, project_id, url, post_type, cents, 'USD', 1000000,
      cents, status, case when status in ('Live', 'Completed') then url || '/post-' || n else '' end, domain, target_url,
      'spade, rake', case when status = 'Refunded' then 1 else 0 end, state is not null, case when n % 50 = 0 then at end,
      at, at
    from plan order by n`;
  await sql`select setval(pg_get_serial_sequence('orders', 'id'), ${orders})`;
}

/** A paid top-up for one order in twenty. */
async function seedTopups(sql: postgres.Sql): Promise<void> {
  await sql`
    insert into topups (id, account_id, provider, mode, amount_cents, currency, charge_amount_minor, charge_currency,
      provider_reference, payment_reference, status, expires_at, paid_at, created_at, updated_at)
    select pg_temp.id_at(at - interval '1 minute', n), account_id, 'stripe', 'live', cents, 'USD', cents, 'USD',
      'cs_seed_' || n, 'pi_seed_' || n, 'paid', at, at, at - interval '1 minute', at
    from plan where n % 20 = 0 order by n`;
}

/**
 * The money of the orders: a credit before each order, its payment, and a refund of some, with the shares and payouts of
 * sellers. Balances and versions follow each other as the ledger's writer computes them.
 */
async function seedTransfers(sql: postgres.Sql): Promise<void> {
  await sql`
    insert into ledger.accounts (kind, owner, currency, guarded)
    values ('adjustments', '', 'USD', false), ('revenue', '', 'USD', false), ('clearing', 'stripe', 'USD', false),
      ('reserved', '', 'USD', false), ('payout_transit', 'bank', 'USD', false), ('bank', 'payouts', 'USD', false)
    on conflict do nothing`;
  await sql`
    insert into ledger.accounts (kind, owner, currency, guarded)
    select kind, seller_id, 'USD', true
    from (select distinct seller_id from plan where state in ('approved', 'closed')) as sellers,
      (values ('seller_pending'), ('seller_payable')) as accounts(kind) on conflict do nothing`;
  await sql`
    insert into ledger.accounts (kind, owner, currency, guarded)
    select 'wallet', account_id, 'USD', true from (select distinct account_id from plan) as buyers on conflict do nothing`;
  await sql`analyze ledger.accounts`;
  await sql`create temp table moves as
    select pg_temp.id_at(move.at, 8 * n + step) as id, move.*, wallet.id as wallet, other.id as other,
      row_number() over w as version, sum(case when is_credit then amount else -amount end) over w as balance
    from (
      select n, account_id, user_id, 0 as step, at - interval '1 minute' as at, true as is_credit, cents as amount,
        case when n % 20 = 0 then 'topup' else 'manual_topup' end as kind,
        case when n % 20 = 0 then 'clearing' else 'adjustments' end as other_kind,
        case when n % 20 = 0 then 'stripe:pi_seed_' || n else 'manual:seed:' || n end as key,
        case when n % 20 = 0 then pg_temp.id_at(at - interval '1 minute', n) end as topup_id
      from plan
      union all
      select n, account_id, user_id, 1, at, false, cents, 'order', case when state is null then 'revenue' else 'reserved' end,
        'order:' || n, null from plan
      union all
      select n, account_id, user_id, 2, at + interval '3 days', true, cents, 'order_refund',
        case when state is null then 'revenue' else 'reserved' end, 'refund:' || n || ':1', null
      from plan where status = 'Refunded'
    ) as move
    join ledger.accounts wallet on wallet.kind = 'wallet' and wallet.owner = account_id and wallet.currency = 'USD'
    join ledger.accounts other on other.kind = other_kind and other.currency = 'USD'
      and other.owner = case when other_kind = 'clearing' then 'stripe' else '' end
    window w as (partition by account_id order by move.at, n, step)`;
  await seedPayouts(sql);
  await seedEarnings(sql);
  await sql`
    insert into ledger.transfers (id, key, kind, from_account, to_account, amount_cents, currency, from_version,
      from_balance_cents, to_version, to_balance_cents, order_id, actor_id, method, note, meta, effective_at, created_at)
    select id, key, kind, case when is_credit then other else wallet end, case when is_credit then wallet else other end,
      amount, 'USD', case when not is_credit then version end, case when not is_credit then balance end,
      case when is_credit then version end, case when is_credit then balance end,
      case when kind in ('order', 'order_refund') then n end, user_id,
      case kind when 'topup' then 'Stripe' when 'manual_topup' then 'Manual' else 'Wallet' end,
      case kind when 'topup' then 'Top-up' when 'manual_topup' then 'Manual top-up' else 'Order #' || n end,
      case when topup_id is null then '{}'::jsonb
        else jsonb_build_object('topupId', topup_id, 'mode', 'live') end, at, at
    from moves
    union all
    select id, key, kind, from_account, to_account, amount, 'USD', from_version, from_balance, to_version, to_balance, n,
      null, '', 'Order #' || n, '{}'::jsonb, at, at
    from shares
    union all
    select id, key, kind, from_account, to_account, amount, 'USD', from_version, from_balance, null, null, null, seller_id,
      'Payout', note, jsonb_build_object('payoutId', payout_id), at, at
    from payout_moves order by id`;
  await sql`
    update ledger.accounts set balance_cents = last.balance, version = last.version
    from (select distinct on (wallet) wallet, balance, version from moves order by wallet, version desc) as last
    where accounts.id = last.wallet`;
}

/** The lines of the newest orders, in the order of time, signed as the application signs them. */
async function seedAuditLines(sql: postgres.Sql, { auditLines, orders }: ScaleSize): Promise<void> {
  const perOrder = Math.ceil(auditLines / orders);
  await sql`create index on plan (n)`;
  let sent = 0;
  for (let after = orders - Math.round(auditLines / perOrder); after < orders; after += 5_000) {
    const batch = await sql<{ n: number; userId: string; email: string; cents: number; siteId: number; at: Date }[]>`
      select n::int, user_id as "userId", people.email, cents::int, site_id as "siteId", at
      from plan join people on people.id = plan.user_id where n > ${after} and n <= ${after + 5_000} order by n`;
    const rows = batch.flatMap(({ n, userId, email, cents, siteId, at }) => {
      const actor = { userId, email, role: 'User', source: 'web', ip: '192.0.2.1', requestId: newId() };
      const order = {
        action: 'order.created',
        details: `Order #${n} for site ${siteId}: $${(cents / 100).toFixed(2)} from the wallet.`,
        entityType: 'order',
        entityId: n,
        amountCents: cents,
        after: { status: 'Pending', siteId },
      };
      const kinds = [
        order,
        { action: 'session.started', details: `${email} signed in.`, entityType: 'session', entityId: `s${n}` },
        {
          action: 'site.updated',
          details: `Site #${siteId} was updated: status.`,
          entityType: 'site',
          entityId: siteId,
          before: { status: n % 3 === 0 ? 'Pending' : 'Approved' },
          after: { status: 'Approved' },
        },
      ];
      const entries = Array.from({ length: perOrder }, (_, index) => kinds[(n + index) % kinds.length] ?? order);
      return buildAuditRows(actor, entries).map((row) => ({ ...row, at }));
    });
    await sql`
      insert into audit_logs (action, details, user_id, "user", role, amount_cents, source, entity_type, entity_id,
        before, after, ip, request_id, mac, timestamp)
      select action, details, "userId", "user", role, "amountCents", source, "entityType", "entityId",
        before, after, ip, "requestId", mac, at
      from jsonb_to_recordset(${sql.json(JSON.parse(JSON.stringify(rows)))}) as line(
        action text, details text, "userId" text, "user" text, role text, "amountCents" bigint, source text,
        "entityType" text, "entityId" text, before jsonb, after jsonb, ip text, "requestId" text, mac text,
        at timestamptz)`;
    sent += rows.length;
  }
  if (sent < auditLines * 0.99) throw new Error(`Only ${sent} of ${auditLines} audit lines were written.`);
}
