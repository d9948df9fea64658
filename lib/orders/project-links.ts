import { z } from 'zod';
import { linkStandings } from '@/db/schema/links';
import { orderStatuses } from '@/db/schema/orders';
import { idCursorField, pageQuery } from '@/lib/platform/http/fields';
import { countLinksByVerdict, type LiveLinkRow, listLiveLinks } from './project-figures';

/** The query of GET /api/user/projects/{id}/links. */
export const projectLinksQuery = pageQuery(100, 200).extend({
  cursor: idCursorField.describe('The `next` of an earlier response.'),
});

const counted = z.object({ total: z.int(), isCapped: z.boolean().describe('Whether there are more than `total`.') });

/** The live links of a project with the results of their newest checks. */
export const projectLinksResponse = z
  .object({
    counts: z
      .object({ ok: counted, changed: counted, broken: counted, unknown: counted, lost: counted })
      .describe('The number of links by the result of their newest check.'),
    links: z
      .array(
        z.object({
          orderId: z.int(),
          linkUrl: z.string(),
          website: z.string(),
          packageName: z.string(),
          status: z.enum(orderStatuses),
          targetUrl: z.string(),
          verdict: z.enum(linkStandings).nullable().describe('Null before the first check.'),
          checkedAt: z.iso.datetime().nullable(),
          rel: z.string().nullable(),
          anchor: z.string().nullable(),
        }),
      )
      .describe('Newest order first.'),
    total: z.int(),
    next: z.string().nullable().describe('The `cursor` of the next page; null on the last one.'),
  })
  .meta({ title: 'ProjectLinks' });

/** Reads a page of the live links of a project, with the counts of all of them. */
export async function readProjectLinks(
  projectId: string,
  query: z.output<typeof projectLinksQuery>,
): Promise<z.output<typeof projectLinksResponse>> {
  const [counts, { rows, total, next }] = await Promise.all([
    countLinksByVerdict(projectId),
    listLiveLinks(projectId, query),
  ]);
  return { counts, links: rows.map(linkView), total, next };
}

function linkView(row: LiveLinkRow): z.output<typeof projectLinksResponse>['links'][number] {
  const { orderId, linkUrl, website, packageName, status, targetUrl, verdict, checkedAt, rel, anchor } = row;
  return {
    ...{ orderId, linkUrl, website, packageName, status, targetUrl, verdict, rel, anchor },
    checkedAt: checkedAt?.toISOString() ?? null,
  };
}
