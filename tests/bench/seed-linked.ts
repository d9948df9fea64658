import postgres from 'postgres';
import { newId } from '@/lib/ids';

/** The projects of `seedLinked`, by what links to them. */
type LinkedProjects = { half: string; cheapest: string; ordered: string };

/** The number of domains that link to the first two projects, and of orders of the third. */
export const linkedCount = 1_000_000;
export const orderCount = 100_000;

/**
 * Adds three projects to a seeded catalog: half of the sites link to one, nine in ten, the cheapest ones, to another, and
 * the third ordered most sites. Domains outside the catalog complete the first two to a million.
 */
export async function seedLinked(adminUrl: string, siteCount: number): Promise<LinkedProjects> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  try {
    const [userId, checkoutId] = [newId(), newId()];
    const projects = { half: newId(), cheapest: newId(), ordered: newId() };
    await sql`insert into users (id, email, name, password_hash, status, role)
      values (${userId}, ${`${userId}@example.com`}, 'Bench buyer', 'none', 'Active', 'User')`;
    for (const id of Object.values(projects))
      await sql`insert into projects (id, account_id, domain, description, niche, post_type, target_url, keywords, country)
        values (${id}, ${userId}, ${`${id}.example`}, '', 'General', 'Guest posts', 'https://shop.example/', 'spade', 'USA')`;
    for (const [id, order, share] of [
      [projects.half, sql`id % 2`, 0.5],
      [projects.cheapest, sql`public_price_usd_cents nulls last`, 0.9],
    ] as const) {
      await sql`
        insert into project_linked_domains (project_id, domain, source, state, seen_on)
        select ${id}, domain, 'ahrefs', case when row_number() over () % 10 = 0 then 'lost' else 'live' end, '2026-10-01'
        from (
          (select domain from sites order by ${order} limit ${siteCount * share})
          union all
          select 'other' || n || '.example' from generate_series(1, ${linkedCount - siteCount * share}::int) n
        ) linked`;
    }
    await sql`insert into checkouts (id, account_id, request_hash, total_cents) values (${checkoutId}, ${userId}, '', 0)`;
    await sql`
      insert into orders (account_id, ordered_by, checkout_id, kind, site_id, project_id, website, price_cents, currency, usd_micros_per_unit,
        charged_cents, status, link_url, project_domain, project_target_url, project_keywords)
      select ${userId}, ${userId}, ${checkoutId}, 'custom', 1 + (n * 7) % ${siteCount}::int, ${projects.ordered}, '', 100, 'USD', 1000000,
        100, (array['Live', 'Processing', 'Completed', 'Refunded'])[1 + n % 4], 'https://site.example/', 'shop.example',
        'https://shop.example/', 'spade'
      from generate_series(1, ${orderCount}::int) n`;
    await sql`vacuum analyze`;
    return projects;
  } finally {
    await sql.end();
  }
}
