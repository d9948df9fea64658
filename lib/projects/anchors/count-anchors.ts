import { setImmediate } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { type AnchorKind, anchorKinds } from '@/db/enums';
import { linkChecks, linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { orderBriefs } from '@/db/schema/placements';
import { linkSources, projectAnchors } from '@/db/schema/project-domains';
import { type AnchorSubject, createClassifier } from './classify-anchor';
import { toTextKey } from './fold-text';

const rows = z.array(
  z.object({ anchor: z.string(), isImage: z.boolean(), links: z.coerce.number(), days90: z.coerce.number() }),
);
type CountedAnchor = z.output<typeof rows>[number];

/**
 * Builds the number of links of an anchor: of orders, and of the tool that knows most. One aggregation for all tools,
 * because each takes seconds for a million anchors.
 */
const countLinks = (which: SQL): SQL => {
  const sumOf = (source: SQL) => sql`coalesce(sum(links) filter (where ${source} and ${which}), 0)`;
  const ofTools = linkSources.map((source) => sumOf(sql`source = ${source}`));
  return sql`${sumOf(sql`source is null`)} + greatest(${sql.join(ofTools, sql`, `)})`;
};

/**
 * Lists the different anchors of a project with the number of their links, all and since 90 days: of the orders that are
 * neither refunded nor declined and whose link is not lost, with the text that the newest check found or else that of the
 * brief; and of imported links. Of several tools that know an anchor, the one with most links counts.
 */
export async function listAnchors(projectId: string): Promise<CountedAnchor[]> {
  const found = await db().execute(sql`
    with own as (
      select coalesce(
          (select c.anchor from ${linkChecks} c where c.order_id = o.id and c.found order by c.id desc limit 1),
          b.anchor, '') as anchor,
        coalesce(w.started_at, o.created_at) >= now() - interval '90 days' as is_recent
      from ${orders} o
      left join ${orderBriefs} b on b.order_id = o.id
      left join ${linkWatches} w on w.order_id = o.id
      where o.project_id = ${projectId} and o.deleted_at is null
        and o.status not in ('Refunded', 'Rejected') and w.end_reason is distinct from 'lost'
    )
    select anchor, is_image as "isImage", ${countLinks(sql`true`)} as links, ${countLinks(sql`is_recent`)} as days90
    from (
      select null as source, anchor, false as is_image, 1 as links, is_recent from own
      union all
      select source, anchor, is_image, links, first_seen_on >= current_date - 90
      from ${projectAnchors} where project_id = ${projectId}
    ) known
    group by anchor, is_image`);
  return rows.parse([...found]);
}

type Counts = Record<AnchorKind, number>;
export const noAnchors = (): Counts => ({
  ...{ brand: 0, address: 0, generic: 0, partial: 0 },
  ...{ exact: 0, image: 0, none: 0 },
});

/** Small enough to classify a batch within some milliseconds. */
const batchSize = 1_000;

/**
 * Counts anchors by kind, and the uses of some texts. Other requests are served between batches.
 * @param keys the texts whose uses are counted, by `toTextKey`
 */
export async function countByKind(
  anchors: readonly CountedAnchor[],
  subject: AnchorSubject,
  keys: ReadonlySet<string> = new Set(),
): Promise<{ all: Counts; days90: Counts; uses: Map<string, number> }> {
  const classify = createClassifier(subject);
  const [all, days90, uses] = [noAnchors(), noAnchors(), new Map<string, number>()];
  for (const [index, { links, days90: recent, ...anchor }] of anchors.entries()) {
    if (index % batchSize === batchSize - 1) await setImmediate();
    const kind = classify(anchor);
    all[kind] += links;
    days90[kind] += recent;
    const key = keys.size > 0 ? toTextKey(anchor.anchor) : '';
    if (keys.has(key)) uses.set(key, (uses.get(key) ?? 0) + links);
  }
  return { all, days90, uses };
}

/** The total of counts. */
export const countAll = (counts: Readonly<Counts>): number =>
  anchorKinds.reduce((total, kind) => total + counts[kind], 0);
