import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { placements } from '@/db/schema/placements';
import { type LinkedToProject, linkedToProject, projectLinkedDomains } from '@/db/schema/project-domains';
import { sites } from '@/db/schema/sites';

/** The orders of a project that count: neither refunded nor declined. */
const ownLinks = (projectId: string) => sql`
  select s.domain,
    case when p.state = 'lost' then 'lost' when ${orders.linkUrl} <> '' then 'live' else 'ordered' end as state
  from ${orders}
  join ${sites} s on s.id = ${orders.siteId}
  left join ${placements} p on p.order_id = ${orders.id}
  where ${orders.projectId} = ${projectId} and ${orders.deletedAt} is null
    and ${orders.status} not in ('Refunded', 'Rejected')`;

const rows = z.array(z.object({ domain: z.string(), state: z.enum(linkedToProject) }));

/**
 * Returns which of these domains link to a project: by its own orders, or by the files its owner imported, where the
 * newest row of a domain counts and `unknown` counts as live. A live link comes before an order, an order before a lost link.
 * @param domains as `sites.domain`
 */
export async function findLinked(
  projectId: string,
  domains: readonly string[],
  on: Executor = db(),
): Promise<Map<string, LinkedToProject>> {
  if (domains.length === 0) return new Map();
  const list = sql`array(select jsonb_array_elements_text(${JSON.stringify([...new Set(domains)])}::text::jsonb))`;
  const found = await on.execute(sql`
    select domain, (array['live', 'ordered', 'lost'])[min(array_position(array['live', 'ordered', 'lost'], state))] as state
    from (
      select * from (${ownLinks(projectId)}) own where domain = any(${list})
      union all
      (select distinct on (domain) domain, case state when 'lost' then 'lost' else 'live' end
       from ${projectLinkedDomains} where project_id = ${projectId} and domain = any(${list})
       order by domain, coalesce(seen_on, imported_at::date) desc, imported_at desc)
    ) links
    group by domain`);
  return new Map(rows.parse([...found]).map(({ domain, state }) => [domain, state]));
}

/** Builds the condition for sites that neither link to a project, nor did, nor are ordered for it. */
export const isNotLinked = (projectId: string): SQL => sql`(
  not exists (select 1 from ${projectLinkedDomains} l where l.project_id = ${projectId} and l.domain = ${sites.domain})
  and ${sites.domain} <> all (array(select own.domain from (${ownLinks(projectId)}) own)))`;
