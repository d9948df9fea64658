import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { prepared } from '@/db/prepared';
import { linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import { type LinkedToProject, projectLinkedDomains } from '@/db/schema/project-domains';
import { sites } from '@/db/schema/sites';

/** The orders of a project that count, as `o`: neither refunded nor declined. A canceled or expired one is refunded. */
const isOwnOrder = (projectId: string | SQL) => sql`o.project_id = ${projectId} and o.deleted_at is null
  and o.status not in ('Refunded', 'Rejected')`;

/** Of several states of a domain, the first counts. */
const states = sql`array['live', 'ordered', 'lost']`;

/** What an own order says, by its place in `states`. A lost link that staff replace is ordered again. */
const ownState = sql`case
  when o.link_url <> '' and not (coalesce(p.state = 'lost', false) or coalesce(w.end_reason = 'lost', false)) then 1
  when o.link_url <> '' and o.status in ('Live', 'Completed') then 3
  else 2 end`;

/** The newest day of a row of a file. The import stands for a day that the file does not have. */
const seenOn = sql`coalesce(l.seen_on, (l.imported_at at time zone 'UTC')::date)`;

/**
 * Reads what is known of each domain of a JSON array, by one lookup in the indexes each. The project is a subquery, so that
 * PostgreSQL keeps one plan for all projects: planning takes twice as long as 30 lookups.
 */
const statement = prepared((on) => {
  const project = sql`(select ${sql.placeholder('projectId')}::text)`;
  return on
    .select({
      domain: sql<string>`wanted.domain`,
      state: sql<LinkedToProject | null>`(${states})[least(
        (select min(${ownState}) from ${sites} s
          join ${orders} o on o.site_id = s.id and ${isOwnOrder(project)}
          left join ${placements} p on p.order_id = o.id
          left join ${linkWatches} w on w.order_id = o.id
          where s.domain = wanted.domain),
        (select case l.state when 'lost' then 3 else 1 end from ${projectLinkedDomains} l
          where l.project_id = ${project} and l.domain = wanted.domain
          order by ${seenOn} desc, l.imported_at desc, l.state limit 1))]`,
    })
    .from(sql`jsonb_array_elements_text(${sql.placeholder('domains')}::text::jsonb) as wanted(domain)`)
    .prepare('linked_domains');
});

/**
 * Returns which of these domains link to a project: by its own orders, or by the files its owner imported, where the
 * newest row of a domain counts and `unknown` counts as live. A live link comes before an order, an order before a lost link.
 * @param domains as `sites.domain`
 * @param on the caller's transaction
 */
export async function findLinked(
  projectId: string,
  domains: readonly string[],
  on?: Executor,
): Promise<Map<string, LinkedToProject>> {
  if (domains.length === 0) return new Map();
  const wanted = JSON.stringify([...new Set(domains)]);
  const found = await statement(on).execute({ projectId, domains: wanted });
  return new Map(found.flatMap(({ domain, state }) => (state === null ? [] : [[domain, state]])));
}

/**
 * Builds the condition for sites that neither link to a project, nor did, nor are ordered for it. Scalar queries, which
 * PostgreSQL evaluates for each site along the index of a list: it expects too few sites from an anti-join with a
 * million domains, and reads all of them first. A project without domains or orders is recognized once.
 */
export const isNotLinked = (projectId: string): SQL => sql`(
  (select l.domain from ${projectLinkedDomains} l where l.project_id = ${projectId} order by l.domain limit 1) is null
  or coalesce((
    select false from ${projectLinkedDomains} l
    where l.project_id = ${projectId} and l.domain = ${sites.domain} limit 1), true)
) and (
  (select o.id from ${orders} o where ${isOwnOrder(projectId)} order by o.id limit 1) is null
  or coalesce((
    select false from ${sites} s join ${orders} o on o.site_id = s.id and ${isOwnOrder(projectId)}
    where s.domain = ${sites.domain} limit 1), true))`;
