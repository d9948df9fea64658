import { and, count, desc, eq, isNotNull, isNull, or, type Placeholder, sql } from 'drizzle-orm';
import { cache } from 'react';
import { db, type Executor } from '@/db/client';
import { type CappedCount, countRows } from '@/db/count-up-to';
import { prepared } from '@/db/prepared';
import type { Reading } from '@/db/replicas';
import { rowsAsJson } from '@/db/rows-as-json';
import { accountMembers, accounts } from '@/db/schema/accounts';
import { cartItems, carts } from '@/db/schema/carts';
import { orderRequests } from '@/db/schema/order-requests';
import { projects } from '@/db/schema/projects';
import { marketplaceList, savedFilters } from '@/db/schema/site-preferences';
import { hasAccountRight, isInScope } from '@/lib/access/account-roles';
import type { AccountScope, Actor } from '@/lib/access/actor';
import { selectBalance } from '@/lib/ledger/balance';
import { getReader, type NotificationUser, unreadCount } from '@/lib/notifications/notifications';
import { awaitingStatuses, buyerOrderView } from '@/lib/orders/contract';
import { describeOrderStatus } from '@/lib/orders/describe-status';
import { listLinkStandings } from '@/lib/orders/link-checks/queries';
import { countOwnOrders, selectOwnOrders } from '@/lib/orders/order/queries';
import { isSentToClient } from '@/lib/orders/requests/client-read';
import { listOpenTopups, type OpenTopup } from '@/lib/payments/top-ups/queries';
import { listRecentTransactions } from '@/lib/wallet/queries';

/** The number of events that the recent activity shows. */
export const shownEvents = 6;

/** An event of a buyer's recent activity. Amounts in USD cents. */
export type BuyerEvent = { id: string; at: Date; amountCents: number } & (
  | { kind: 'order'; number: number; what: string; status: string }
  | {
      kind: 'transaction';
      type: 'credit' | 'debit';
      note: string;
      method: string;
      /** Set while a top-up waits for its payment. */
      pending: OpenTopup | null;
    }
);

export async function getLatestOrders(actor: AccountScope, on: Reading = db()): Promise<BuyerEvent[]> {
  const rows = await selectOwnOrders(actor, {})(on).limit(shownEvents);
  const ids = rows.map(({ id }) => id);
  const verdicts = await listLinkStandings(ids, on);
  return rows.map((order) => ({
    kind: 'order',
    id: `order ${order.id}`,
    at: order.createdAt,
    amountCents: order.chargedCents + order.taxCents,
    number: order.id,
    what: order.website || order.packageName,
    status: describeOrderStatus({ ...buyerOrderView(order), verdict: verdicts.get(order.id) ?? null }, 'buyer').label,
  }));
}

/**
 * Lists the newest wallet transactions, for a member who sees orders without their payments and their tax:
 * `getLatestOrders` has these. Three times the events are read, because `shownEvents` of them may be payments with a tax
 * each; further ones belong to newer orders than the rest. None for a view by staff, and for a member without the wallet.
 */
export async function getLatestTransactions(actor: Actor): Promise<BuyerEvent[]> {
  if (actor.viewing || !hasAccountRight(actor.accountRole, 'account:wallet')) return [];
  const rows = await listRecentTransactions(actor.accountId, 3 * shownEvents);
  const isOfOrder = ({ kind }: (typeof rows)[number]) => kind === 'order' || kind === 'tax';
  const seesOrders = hasAccountRight(actor.accountRole, 'account:orders');
  const others = rows.filter((row) => !seesOrders || !isOfOrder(row)).slice(0, shownEvents);
  const open = await listOpenTopups(
    actor,
    others.flatMap(({ status, topupId }) => (status === 'Pending' && topupId ? [topupId] : [])),
  );
  return others.map((line) => ({
    kind: 'transaction',
    id: line.id,
    at: new Date(line.createdAt),
    amountCents: line.amountCents,
    type: line.type,
    note: line.note,
    method: line.method,
    pending: line.status === 'Pending' ? (open.get(line.id) ?? { id: line.id, continueHref: null }) : null,
  }));
}

/** Counts a buyer's orders, and those awaiting delivery. */
export async function countBuyerOrders(
  actor: AccountScope,
  on: Reading = db(),
): Promise<{ all: CappedCount; awaiting: CappedCount }> {
  const [all, awaiting] = await Promise.all([
    countOwnOrders(actor, {}, on),
    countOwnOrders(actor, { statuses: awaitingStatuses }, on),
  ]);
  return { all, awaiting };
}

export const countBuyerProjects = (actor: AccountScope): Promise<CappedCount> =>
  countRows(
    projects,
    and(isInScope(actor, { accountId: projects.accountId, projectId: projects.id }), isNull(projects.deletedAt)),
  );

/** Counts a buyer's saved marketplace filters. */
export async function countSavedFilters(userId: string): Promise<number> {
  const [row] = await db()
    .select({ value: count() })
    .from(savedFilters)
    .where(and(eq(savedFilters.userId, userId), eq(savedFilters.list, marketplaceList)));
  return row?.value ?? 0;
}

/** What an actor knows of the wallet. */
type ShownWallet = {
  /** USD cents; 0 in a view by staff, null for a member who may not view it. */
  balanceCents: number | null;
  /** Whether the actor may add money to it. */
  mayTopUp: boolean;
  /** Whether orders can need an approval: the account is a team, or has limits or requests. */
  isLimited: boolean;
};

type BuyerLayout = ShownWallet & {
  unread: number;
  /** The carts that have sites, the last changed one first. */
  carts: { id: string; projectId: string | null; count: number }[];
  /** The number of requests that wait for an answer; to a client those that wait for the client. */
  requests: number;
};

/**
 * Reads the data of the customer area's layout in one round trip. React `cache` shares the result between the layout and
 * the page.
 */
export const getBuyerLayout = cache(
  async (person: NotificationUser & AccountScope & Pick<Actor, 'viewing' | 'accountRole'>): Promise<BuyerLayout> => {
    const { accountId, projectIds, accountRole } = person;
    const [row] = await statement().execute({
      ...getReader(person),
      ...{ accountId, projectIds, isClient: accountRole === 'client' },
    });
    const maySee = hasAccountRight(accountRole, 'account:balance');
    return {
      balanceCents: person.viewing ? 0 : maySee ? (row?.balanceCents ?? 0) : null,
      mayTopUp: hasAccountRight(accountRole, 'account:wallet'),
      unread: row?.unread ?? 0,
      carts: row?.carts ?? [],
      isLimited: row?.isLimited ?? false,
      requests: row?.requests ?? 0,
    };
  },
);

const placeholders = { userId: sql.placeholder('userId'), audience: sql.placeholder('audience') };
const scope = { accountId: sql.placeholder('accountId'), projectIds: sql.placeholder('projectIds') };

/** The condition that a client can answer a request. */
const isOpenForClient = and(
  isSentToClient,
  isNull(orderRequests.linkAnsweredAt),
  sql`${orderRequests.linkExpiresAt} > now()`,
);

const statement = prepared((on) => {
  const requests = and(
    isInScope(scope, { accountId: orderRequests.accountId, projectId: orderRequests.projectId }),
    eq(orderRequests.state, 'open'),
    or(sql`not ${sql.placeholder('isClient')}::boolean`, isOpenForClient),
  );
  return on
    .select({
      balanceCents: sql<number | null>`${selectBalance(on, scope.accountId)}`.mapWith(Number),
      unread: unreadCount(placeholders),
      carts: rowsAsJson(
        on
          .select({
            id: carts.id,
            projectId: sql<string | null>`${carts.projectId}`.as('projectId'),
            count: count().as('count'),
          })
          .from(carts)
          .innerJoin(cartItems, eq(cartItems.cartId, carts.id))
          .where(isInScope(scope, { accountId: carts.accountId, projectId: carts.projectId }))
          .groupBy(carts.id)
          .orderBy(desc(carts.updatedAt), desc(carts.id)),
      ),
      requests: sql<number>`(${on.select({ value: count() }).from(orderRequests).where(requests)})`.mapWith(Number),
      isLimited: isLimited(on, scope.accountId),
    })
    .from(sql`(values (1)) as once`)
    .prepare('buyer_frame');
});

/** Checks whether orders of an account can need an approval: it is a team, or has limits or requests. */
const isLimited = (on: Executor, accountId: Placeholder) => {
  const parts = [
    on
      .select({ one: sql`1` })
      .from(accounts)
      .where(and(eq(accounts.id, accountId), sql`(${accounts.kind} = 'team' or ${accounts.policy} <> '{}')`)),
    on
      .select({ one: sql`1` })
      .from(accountMembers)
      .where(and(eq(accountMembers.accountId, accountId), isNotNull(accountMembers.monthlyLimitCents))),
    on
      .select({ one: sql`1` })
      .from(projects)
      .where(
        and(eq(projects.accountId, accountId), isNotNull(projects.monthlyBudgetCents), isNull(projects.deletedAt)),
      ),
    on.select({ one: sql`1` }).from(orderRequests).where(eq(orderRequests.accountId, accountId)),
  ];
  return sql<boolean>`(${sql.join(
    parts.map((part) => sql`exists (${part})`),
    sql` or `,
  )})`;
};
