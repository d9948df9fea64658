import { and, asc, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { db } from '@/db/client';
import { type CappedCount, countCap, countRows, searchCountCap } from '@/db/count-up-to';
import {
  type LinkedState,
  type LinkSource,
  projectLinkedDomains,
  projectLinkSources,
} from '@/db/schema/project-domains';
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
    text === ''
      ? countImported(projectId, state, source)
      : countRows(projectLinkedDomains, where, db(), searchCountCap),
  ]);
  return { rows, ...counted };
}

/** Adds up what was counted at the imports. */
async function countImported(projectId: string, state?: LinkedState, source?: LinkSource): Promise<CappedCount> {
  const sources = (await listLinkSources(projectId)).filter((one) => !source || one.source === source);
  const total = sources.reduce((sum, one) => sum + (state ? one[state] : one.live + one.lost + one.unknown), 0);
  return { total: Math.min(total, countCap), isCapped: total > countCap };
}

const columns = {
  domain: projectLinkedDomains.domain,
  state: projectLinkedDomains.state,
  source: projectLinkedDomains.source,
  seenOn: projectLinkedDomains.seenOn,
  importedAt: projectLinkedDomains.importedAt,
};

/** What the exports of a tool stated: domains by state, and links by anchor. */
export type LinkSourceFigures = Awaited<ReturnType<typeof listLinkSources>>[number];

/** Lists what was imported for a project, by source. */
export const listLinkSources = (projectId: string) =>
  db()
    .select()
    .from(projectLinkSources)
    .where(eq(projectLinkSources.projectId, projectId))
    .orderBy(asc(projectLinkSources.source));
