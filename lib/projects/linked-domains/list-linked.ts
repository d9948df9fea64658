import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { type CappedCount, countRows, searchCountCap } from '@/db/count-up-to';
import { type linkedStates, linkSources, projectAnchors, projectLinkedDomains } from '@/db/schema/project-domains';
import { textContains } from '@/db/search';
import { listSpellings, normalizeSearch } from '@/lib/network/search-words';
import type { ListLinkedDomainsQuery, linkedDomainResponse } from './contract';

export type LinkedDomainRow = Omit<z.output<typeof linkedDomainResponse>, 'importedAt'> & { importedAt: Date };

/** Lists a page of the imported domains of a project, by domain. */
export async function listLinkedDomains(
  projectId: string,
  { q, state, source, limit, offset }: ListLinkedDomainsQuery,
): Promise<CappedCount & { rows: LinkedDomainRow[] }> {
  const text = normalizeSearch(q ?? '');
  const where = and(
    eq(projectLinkedDomains.projectId, projectId),
    state && eq(projectLinkedDomains.state, state),
    source && eq(projectLinkedDomains.source, source),
    text === '' ? undefined : textContains(sql`${projectLinkedDomains.domain}`, ...listSpellings(text)),
  );
  const [rows, counted] = await Promise.all([
    db()
      .select(columns)
      .from(projectLinkedDomains)
      .where(where)
      .orderBy(asc(projectLinkedDomains.domain), asc(projectLinkedDomains.source))
      .limit(limit)
      .offset(offset),
    countRows(projectLinkedDomains, where, db(), text === '' ? undefined : searchCountCap),
  ]);
  return { rows, ...counted };
}

const columns = {
  domain: projectLinkedDomains.domain,
  state: projectLinkedDomains.state,
  source: projectLinkedDomains.source,
  seenOn: projectLinkedDomains.seenOn,
  importedAt: projectLinkedDomains.importedAt,
};

const sourceRow = z.object({
  source: z.enum(linkSources),
  live: z.number(),
  lost: z.number(),
  unknown: z.number(),
  anchors: z.number(),
  importedAt: z.coerce.date().nullable(),
});
/** What the exports of a tool stated: domains by state, and links by anchor. */
export type LinkSourceFigures = z.output<typeof sourceRow>;

/** Counts the imported domains and anchors of a project by source. */
export async function countLinkedDomains(projectId: string): Promise<LinkSourceFigures[]> {
  const countOf = (state: (typeof linkedStates)[number]): SQL =>
    sql`coalesce(sum(domains) filter (where state = ${state}), 0)::int`;
  const rows = await db().execute(sql`
    select source, ${countOf('live')} as live, ${countOf('lost')} as lost, ${countOf('unknown')} as unknown,
      coalesce(sum(links), 0)::float8 as anchors, max(imported_at) as "importedAt"
    from (
      select source, state, count(*) as domains, null::bigint as links, max(imported_at) as imported_at
      from ${projectLinkedDomains} where project_id = ${projectId} group by source, state
      union all
      select source, null, null, sum(links), null from ${projectAnchors} where project_id = ${projectId} group by source
    ) found
    group by source order by source`);
  return z.array(sourceRow).parse([...rows]);
}
