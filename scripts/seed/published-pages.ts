import { asc, eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { type LinkVerdict, linkWatches } from '@/db/schema/links';
import { orders } from '@/db/schema/orders';
import { orderBriefs, placements } from '@/db/schema/placements';
import { publishSandboxPage, type SandboxPage } from '@/lib/links/sandbox-publisher';

type DeliveredPage = SandboxPage & { orderId: number };

/**
 * Publishes the pages of all delivered links in the sandbox, in the state that the newest check of each link found.
 * @param options.replaces whether pages that exist are replaced; without it, only those that are missing are published
 */
export async function seedPublishedPages(options: { replaces?: boolean } = {}): Promise<void> {
  for (const page of await listDeliveredPages()) await publishSandboxPage(page, options);
}

/** The state of a page in which a check has the verdict. */
const changes: Record<LinkVerdict, SandboxPage['change']> = {
  ok: undefined,
  changed: 'nofollow',
  broken: 'lost',
  unknown: 'forbidden',
};

/** Lists the pages of delivered links, oldest order first. */
export async function listDeliveredPages(): Promise<DeliveredPage[]> {
  const pageUrl = sql<string>`coalesce(nullif(${placements.deliveredUrl}, ''), ${orders.linkUrl})`;
  const rows = await db()
    .select({
      orderId: orders.id,
      pageUrl,
      targetUrl: sql<string>`coalesce(nullif(${orderBriefs.targetUrl}, ''), ${orders.projectTargetUrl})`,
      anchor: orderBriefs.anchor,
      rel: orderBriefs.rel,
      verdict: linkWatches.verdict,
      packageName: orders.packageName,
      adminComments: orders.adminComments,
    })
    .from(orders)
    .leftJoin(placements, eq(placements.orderId, orders.id))
    .leftJoin(orderBriefs, eq(orderBriefs.orderId, orders.id))
    .leftJoin(linkWatches, eq(linkWatches.orderId, orders.id))
    .where(sql`${pageUrl} <> ''`)
    .orderBy(asc(orders.id));
  return rows.flatMap(({ pageUrl: url, verdict, packageName, adminComments, anchor, rel, ...page }) => {
    // The links of a package other than its live link.
    const others = packageName === '' ? [] : adminComments.split('\n').filter((line) => line.startsWith('https://'));
    const common = { ...page, anchor: anchor ?? '', rel: rel ?? ('any' as const) };
    return [
      { ...common, pageUrl: url, change: verdict ? changes[verdict] : undefined },
      ...others.filter((other) => other !== url).map((pageUrl) => ({ ...common, pageUrl, change: undefined })),
    ];
  });
}
