import { and, asc, getTableColumns, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { type GivenRow, insertGiven, toRowsParameter } from '@/db/insert-rows';
import { isGiven } from '@/db/is-given';
import { prepared } from '@/db/prepared';
import { orders } from '@/db/schema/orders';
import { orderBriefs } from '@/db/schema/placements';
import { sites } from '@/db/schema/sites';
import { type Brief, hasContactNotes } from '@/lib/orders/briefs/schemas';
import { hasLimits } from '@/lib/orders/spending/facts';
import { isListed } from '@/lib/sites/catalogue/filter-sql';
import type { Buyer, OrderPlan } from './plan';
import { notAvailableError } from './pricing';
import type { CreateOrderInput } from './schemas';

type NewOrders = {
  checkoutId: string;
  kind: CreateOrderInput['kind'];
  plan: Pick<OrderPlan, 'project' | 'placements'>;
  /** The items of the plan with their briefs. */
  items: readonly (OrderPlan['items'][number] & { brief: Brief })[];
};

const orderFields = [
  ...(['accountId', 'orderedBy', 'checkoutId', 'kind', 'siteId', 'packageId'] as const),
  ...(['projectId', 'projectDomain', 'projectTargetUrl', 'projectKeywords'] as const),
  ...(['website', 'postType', 'packageName', 'packageDesc', 'quantity', 'priceCents', 'currency'] as const),
  ...(['usdMicrosPerUnit', 'chargedCents', 'taxCents', 'isFulfilledBySeller'] as const),
] as const;

const briefFields = ['targetUrl', 'anchor', 'writer', 'words', 'notes', 'notBefore', 'rel', 'articleId'] as const;

type NewOrder = GivenRow<typeof orders, (typeof orderFields)[number]> &
  GivenRow<typeof orderBriefs, (typeof briefFields)[number]> & { hasContactData: boolean };

/**
 * Inserts the planned orders of a checkout with their briefs, in one statement. It requires that their sites are still on
 * sale: a change of their seller (lib/sites/own-bulk/change.ts) ends before the orders, which are then refused, or waits
 * for them. Other updates of sites do not conflict with this lock, which the foreign key of the orders takes as well; here
 * in id order, which prevents deadlocks.
 * @returns the orders in the order of the items, each with whether any limit applies to it, as the statement sees it
 * @throws AppError conflict for a site that left the sale since its price was read
 */
export async function insertOrders(
  tx: Executor,
  { accountId, userId: memberId }: Buyer,
  { checkoutId, kind, plan: { project, placements }, items }: NewOrders,
) {
  const common = {
    ...{ accountId, orderedBy: memberId, checkoutId, kind, projectId: project.id },
    projectDomain: project.domain,
    projectTargetUrl: project.targetUrl,
    projectKeywords: project.keywords,
  };
  const rows = items.map(({ brief, ...item }) => {
    const hasContactData = hasContactNotes({ website: item.website, ...common }, brief);
    const isFulfilledBySeller = item.siteId !== null && placements.has(item.siteId);
    return { ...item, ...common, ...brief, hasContactData, isFulfilledBySeller };
  });
  const inserted = await statement(tx).execute({
    ...{ rows: toRowsParameter<NewOrder>(rows), accountId, memberId, projectId: project.id },
    ids: JSON.stringify(items.flatMap(({ siteId }) => siteId ?? [])),
  });
  const gone = items.find(({ siteId }) => siteId !== null && inserted.every((order) => order.siteId !== siteId));
  if (gone?.siteId) throw notAvailableError(gone.siteId);
  return inserted;
}

const statement = prepared((on) => {
  const listed = on.$with('listed').as(
    on
      .select({ id: sites.id })
      .from(sites)
      .where(and(isGiven(sites.id, 'ids'), isListed))
      .orderBy(asc(sites.id))
      .for('key share'),
  );
  const insert = insertGiven(orders, orderFields, {
    computed: { contactDataAt: sql`case when given."hasContactData" then now() end` },
    also: { hasContactData: 'boolean' },
    // With `or`, the planner keeps the order of the rows.
    where: sql`given."siteId" is null or given."siteId" in (select id from ${listed})`,
  });
  const isLimited = hasLimits({
    accountId: sql.placeholder('accountId'),
    memberId: sql.placeholder('memberId'),
    projectId: sql.placeholder('projectId'),
  });
  const inserted = on
    .$with('inserted', { ...getTableColumns(orders), isLimited: sql<boolean>`is_limited`.as('is_limited') })
    .as(sql`${insert} returning *, ${isLimited} as is_limited`);
  const written = on.$with('written', {}).as(
    insertGiven(orderBriefs, briefFields, {
      computed: { orderId: sql`inserted.id` },
      also: { siteId: 'integer' },
      join: sql`join ${inserted} on inserted.site_id is not distinct from given."siteId"`,
    }),
  );
  return on.with(listed, inserted, written).select().from(inserted).prepare('orders');
});
