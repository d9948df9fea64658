import { setTimeout } from 'node:timers/promises';
import postgres from 'postgres';
import { listingMetrics } from '@/db/enums';
import { newId } from '@/lib/ids';

/** Words of the generated names. The benchmark's search uses the first, which one name in fifty contains. */
export const nameWords = [
  ...['garden', 'harbour', 'copper', 'meadow', 'signal', 'lantern', 'orchard', 'summit', 'velvet', 'canyon'],
  ...['pixel', 'anchor', 'timber', 'saffron', 'glacier', 'compass', 'marble', 'willow', 'ember', 'prairie'],
  ...['falcon', 'quartz', 'breeze', 'cobalt', 'juniper', 'monsoon', 'nectar', 'onyx', 'pepper', 'quill'],
  ...['raven', 'sierra', 'tundra', 'umber', 'vertex', 'walnut', 'yonder', 'zephyr', 'acorn', 'beacon'],
  ...['cinder', 'drift', 'estuary', 'fjord', 'granite', 'hazel', 'island', 'jasper', 'kernel', 'ledger'],
  ...['mosaic', 'nimbus', 'oasis', 'pollen', 'quarry', 'ripple', 'saddle', 'thistle', 'upland', 'violet'],
  ...['wander', 'yarrow', 'zenith', 'almond', 'birch', 'clover', 'dynamo', 'echo', 'fern', 'ginger'],
  ...['hollow', 'indigo', 'jetty', 'kelp', 'lagoon', 'maple', 'north', 'opal', 'pebble', 'quest'],
  ...['ridge', 'solstice', 'tidal', 'unison', 'valley', 'wharf', 'crimson', 'yellow', 'zinc', 'amber'],
  ...['basil', 'cedar', 'dune', 'elm', 'flint', 'grove', 'heron', 'iris', 'jade', 'knoll'],
];

const countries = [
  ...['USA', 'United Kingdom', 'India', 'Germany', 'Canada', 'Australia', 'France', 'Spain', 'Italy', 'Netherlands'],
  ...['Brazil', 'Mexico', 'Poland', 'Sweden', 'Austria', 'Switzerland', 'Ireland', 'Portugal', 'Norway', 'Denmark'],
];
const niches = [
  ...['Technology', 'Business', 'Health', 'Travel', 'Finance', 'Food', 'Fashion', 'Sports', 'Education', 'Real Estate'],
  ...['Marketing', 'Home', 'Automotive', 'Gaming', 'Parenting', 'Pets', 'Law', 'Music', 'Science', 'General'],
];
/** The sources of the figures: typed by the seller, or DR and traffic measured. */
const figureSources = JSON.stringify(
  Object.fromEntries(listingMetrics.map((metric) => [metric, { source: 'seller', asOf: '2026-10-01' }])),
);
const measured = JSON.stringify({
  dr: { source: 'ahrefs', asOf: '2026-11-01' },
  traffic: { source: 'search_console', asOf: '2026-11-01' },
});
const postTypes = ['Guest posts', 'Homepage links', 'Innerpage links', 'Sitewide links'];

/**
 * Fills an empty, migrated database with sites that resemble an agency's: the same ones in every run, nine in ten on
 * sale, most in a few countries and niches, one figure in thirty unknown.
 * @param adminUrl the owner's URL: indexes are built after the rows, which is faster
 */
export async function seedCatalogue(adminUrl: string, count: number): Promise<void> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  try {
    const ownerId = newId();
    await sql`insert into users (id, email, name, password_hash, status, role)
      values (${ownerId}, ${`${ownerId}@example.com`}, 'Bench seller', 'none', 'Active', 'Seller')`;
    const indexes = await sql<{ name: string; definition: string }[]>`
      select indexname as name, indexdef as definition from pg_indexes
      where schemaname = 'public' and tablename = 'sites' and indexdef not like '%UNIQUE%'`;
    for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
    await sql`create function pg_temp.draw(n bigint, salt int) returns double precision immutable language sql
      as 'select (hashint8extended(n, salt) & 1073741823) / 1073741824.0::double precision'`;
    await sql`
      insert into sites (owner_id, name, url, url_key, domain, niche, post_type, country, language, follow_type, dr, da,
        authority_score, spam, traffic, keywords_count, ref_domains, figure_sources, reliability, ownership, words, tat, tat_days, seller_price_cents,
        admin_price_cents, public_price_cents, public_currency, public_price_usd_cents, status)
      select ${ownerId}, initcap(first || ' ' || second) || ' ' || n, 'https://' || host, host, host,
        (${niches}::text[])[1 + floor(20 * pg_temp.draw(n, 3) ^ 1.7)],
        (${postTypes}::text[])[1 + floor(4 * pg_temp.draw(n, 4) ^ 2)],
        (${countries}::text[])[1 + floor(20 * pg_temp.draw(n, 5) ^ 2.2)],
        case when pg_temp.draw(n, 6) < 0.7 then 'English' else 'Spanish' end,
        case when pg_temp.draw(n, 7) < 0.85 then 'DoFollow' else 'NoFollow' end,
        case when pg_temp.draw(n, 8) > 0.03 then round(8 + 82 * quality) end,
        case when pg_temp.draw(n, 9) > 0.03 then round(4 + 75 * quality) end,
        round(4 + 60 * quality), floor(30 * pg_temp.draw(n, 10) ^ 3),
        case when pg_temp.draw(n, 11) > 0.03 then floor(exp(5.4 + 8.2 * quality + pg_temp.draw(n, 12))) end,
        floor(exp(4 + 8 * quality)), floor(exp(3 + 6 * quality)),
        ${figureSources}::text::jsonb || case when pg_temp.draw(n, 16) < 0.1 then ${measured}::text::jsonb else '{}' end,
        case when pg_temp.draw(n, 17) < 0.2 then pg_temp.draw(n, 18) end,
        case when pg_temp.draw(n, 19) < 0.1 then 'owner' end, 600, '3 Days', 3,
        price / 2, price, price, 'USD', case when status = 'Approved' then price end, status
      from (
        select n, first, second, quality, status, first || second || n || '.example.com' as host,
          (2000 + floor(exp(7 + 4 * quality + 1.5 * pg_temp.draw(n, 13))))::bigint as price
        from (
          select n, pg_temp.draw(n, 14) ^ 1.4 as quality,
            (${nameWords}::text[])[1 + floor(100 * pg_temp.draw(n, 1))] as first,
            (${nameWords}::text[])[1 + floor(100 * pg_temp.draw(n, 2))] as second,
            case when pg_temp.draw(n, 15) < 0.9 then 'Approved' else 'Pending' end as status
          from generate_series(1, ${count}::bigint) as n
        ) drawn
      ) priced`;
    for (const { definition } of indexes) await sql.unsafe(definition);
    await sql`vacuum analyze`;
    await seeAllPages(sql);
  } finally {
    await sql.end();
  }
}

/**
 * Vacuums until all pages are all-visible, as index-only scans require. One vacuum skips the pages that an earlier
 * snapshot, e.g. of autovacuum's ANALYZE, may still see differently.
 */
async function seeAllPages(sql: postgres.Sql): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const [pages] = await sql<{ left: number }[]>`
      select relpages - relallvisible as left from pg_class where oid = 'public.sites'::regclass`;
    if (pages?.left === 0) return;
    if (Date.now() > deadline) throw new Error(`${pages?.left} pages of the sites could not be vacuumed.`);
    await setTimeout(250);
    await sql`vacuum sites`;
  }
}
