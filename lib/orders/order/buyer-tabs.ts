import { type SQL, sql } from 'drizzle-orm';
import type { IdRange } from '@/db/read-id-page';
import { isMissingOrChanged, linkWatches } from '@/db/schema/links';
import { isOpenChange, orderChanges } from '@/db/schema/order-changes';
import { messageReads } from '@/db/schema/order-messages';
import { orders } from '@/db/schema/orders';
import { isToPublish, isWaitingForBuyer, placements } from '@/db/schema/placements';
import type { BuyerTab } from '@/lib/orders/contract';

/** A part of a buyer's orders: a tab of the list, or `attention` for what waits for the buyer or has unread messages. */
export type BuyerPart = BuyerTab | 'attention';

/** Whose orders a part has: those of an account, or a list that contains at least those of one project. */
type PartScope = { accountId: string; projectId?: string | undefined };

const isIn = (projectId: string | undefined) => (projectId === undefined ? sql`true` : sql`project_id = ${projectId}`);

const isLate = sql`${isToPublish} and delivery_due_at < now()`;
const ofPlacements = (accountId: string, condition: SQL) =>
  sql`select order_id as id from ${placements} where buyer_id = ${accountId} and ${condition}`;

/** Selects the orders with an open paid change. */
const ofChanges = (accountId: string, condition: SQL) =>
  sql`select order_id as id from ${orderChanges} where buyer_id = ${accountId} and ${isOpenChange} and ${condition}`;

/**
 * An order that is not finished, and of which neither the buyer's answer nor a late delivery is due. A subquery for each
 * order, because an anti-join may read all placements.
 */
const running = ({ accountId, projectId }: PartScope, status: SQL) => sql`
  select id from ${orders} where account_id = ${accountId} and deleted_at is null and status = ${status}
    and ${isIn(projectId)}
    and not coalesce((
      select state in ('delivered', 'approved') or (${isLate}) from ${placements} where order_id = ${orders.id}), false)`;

/** The lists of each part, each along an index of its own. An order is in at most one of the tabs besides `changes`. */
const sources: Record<BuyerPart, (scope: PartScope) => SQL[]> = {
  review: ({ accountId }) => [ofPlacements(accountId, sql`state = 'delivered'`)],
  waiting: (scope) => [running(scope, sql`'Pending'`), running(scope, sql`'Processing'`)],
  late: ({ accountId }) => [ofPlacements(accountId, isLate)],
  // While a delivery is reviewed, changed or disputed, the order is in the tab of that step.
  repair: ({ accountId, projectId }) => [
    sql`select order_id as id from ${linkWatches} where buyer_id = ${accountId} and ${isMissingOrChanged} and ${isIn(projectId)}
      and not coalesce((select state in ('delivered', 'in_revision', 'disputed') from ${placements}
        where order_id = ${linkWatches.orderId}), false)`,
  ],
  changes: ({ accountId }) => [ofChanges(accountId, sql`true`)],
  attention: ({ accountId }) => [
    ofPlacements(accountId, isWaitingForBuyer),
    ofChanges(accountId, sql`state in ('priced', 'delivered')`),
    sql`select order_id as id from ${messageReads} where account_id = ${accountId} and unread_count > 0`,
  ],
};

/** Deleted orders are few, and an index of their own lists them. */
const isPresent = sql`not exists (select from orders gone where gone.id = ${orders.id} and gone.deleted_at is not null)`;

/**
 * Selects the orders of a part of a buyer's list.
 * @param range bounds what is read of each list; undefined if another filter follows
 */
export function selectPart(scope: PartScope, part: BuyerPart, range: IdRange | undefined): SQL {
  const end = range ? sql`order by ${range.orderBy} limit ${range.limit + range.offset}` : sql``;
  const lists = sources[part](scope).map(
    (source) =>
      sql`(select ${orders.id} from (${source}) as ${orders} where ${isPresent} and ${range?.where ?? sql`true`} ${end})`,
  );
  return sql`(${sql.join(lists, sql` union `)})`;
}
