import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { accountMembers, accounts } from '@/db/schema/accounts';
import { isCharge, ledgerAccounts, transfers } from '@/db/schema/ledger';
import { orders } from '@/db/schema/orders';
import { projects } from '@/db/schema/projects';
import { sites } from '@/db/schema/sites';
import { getWalletBalance, isWalletOf } from '@/lib/ledger/balance';
import type { SpendFacts } from './decide-spend';

/** Whose spending in which project: `memberId` has the limit, and the orders count against it. */
export type Spender = { accountId: string; memberId: string; projectId: string };

type MemberOf = { accountId: unknown; memberId: unknown };
type SpenderOf = MemberOf & { projectId: unknown };

/**
 * Builds the expression of whether a member has a monthly limit. It is true for who is no member any more: a removal lifts
 * no limit of an order that is on its way.
 */
export const isMemberLimited = ({ accountId, memberId }: MemberOf): SQL<boolean> => sql<boolean>`coalesce((
  select ${accountMembers.monthlyLimitCents} is not null from ${accountMembers}
  where ${accountMembers.accountId} = ${accountId} and ${accountMembers.userId} = ${memberId}), true)`;

/**
 * Builds the expression of whether any limit, budget or policy applies to an order, from values or placeholders; true also
 * for who is no member any more. Without one, an order neither locks the account nor reads facts.
 */
export const hasLimits = ({ accountId, memberId, projectId }: SpenderOf): SQL<boolean> => sql<boolean>`(
  exists (select from ${accounts} where ${accounts.id} = ${accountId} and ${accounts.policy} <> '{}'::jsonb)
  or exists (select from ${projects} where ${projects.id} = ${projectId} and ${projects.monthlyBudgetCents} is not null)
  or ${isMemberLimited({ accountId, memberId })})`;

/** An item of an order: the site, or null for a package, and the `rel` of its brief. */
export type Wanted = Pick<SpendFacts['items'][number], 'siteId' | 'rel'>;

/**
 * Reads what the decision about a payment depends on. For the payment itself, call it in its transaction after
 * `lockAccount`, which every payment does whose limits could apply, so that no two pass one limit.
 */
export async function readSpendFacts(
  on: Executor,
  { accountId, memberId, projectId }: Spender,
  { totalCents, items }: { totalCents: number; items: readonly Wanted[] },
): Promise<SpendFacts> {
  const [limits] = await on
    .select({
      memberLimit: accountMembers.monthlyLimitCents,
      projectLimit: projects.monthlyBudgetCents,
      policy: accounts.policy,
    })
    .from(accounts)
    .leftJoin(accountMembers, and(eq(accountMembers.accountId, accounts.id), eq(accountMembers.userId, memberId)))
    .leftJoin(projects, and(eq(projects.accountId, accounts.id), eq(projects.id, projectId)))
    .where(eq(accounts.id, accountId));
  if (!limits) throw new Error('The account does not exist.');
  const { memberLimit, projectLimit, policy } = limits;
  const spent =
    memberLimit === null && projectLimit === null ? [] : await listSpending(on, { accountId, memberId, projectId });
  const sumOf = (is: (row: SpendingRow) => boolean) =>
    spent.filter(is).reduce((sum, { spentCents }) => sum + spentCents, 0);
  return {
    totalCents,
    balanceCents: await getWalletBalance(accountId, on),
    member: { limitCents: memberLimit, spentCents: sumOf((row) => row.memberId === memberId) },
    project: { limitCents: projectLimit, spentCents: sumOf((row) => row.projectId === projectId) },
    policy,
    items: await addFigures(on, items),
  };
}

async function addFigures(on: Executor, items: readonly Wanted[]): Promise<SpendFacts['items']> {
  const ids = items.flatMap(({ siteId }) => siteId ?? []);
  const rows =
    ids.length === 0
      ? []
      : await on
          .select({
            id: sites.id,
            dr: sites.dr,
            traffic: sites.traffic,
            niche: sites.niche,
            followType: sites.followType,
          })
          .from(sites)
          .where(inArray(sites.id, ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return items.map((item) => {
    const { dr = null, traffic = null, niche = null, followType } = byId.get(item.siteId ?? 0) ?? {};
    return { ...item, dr, traffic, niche, follow: followType !== 'NoFollow' };
  });
}

/** What was spent on the orders of a member in a project. */
type SpendingRow = { memberId: string; projectId: string; spentCents: number };

const spendingRows = z.array(z.object({ memberId: z.string(), projectId: z.string(), spentCents: z.coerce.number() }));

type SpendingScope = { accountId: string; memberId?: string; projectId?: string };

/**
 * Lists what an account spent in the current calendar month (UTC) by member and project. For each order, it is what the
 * wallet was charged in the month with tax, also for later changes and a longer guarantee, less what returned in the
 * month; never below zero, so that the refund of an earlier month's charge frees nothing.
 * @param scope with a member and a project, the orders of either of them
 * @returns USD cents; without members and projects that spent nothing
 */
export async function listSpending(
  on: Executor,
  { accountId, memberId, projectId }: SpendingScope,
): Promise<SpendingRow[]> {
  const wanted = [
    ...(memberId === undefined ? [] : [sql`${orders.orderedBy} = ${memberId}`]),
    ...(projectId === undefined ? [] : [sql`${orders.projectId} = ${projectId}`]),
  ];
  const wallet = sql`(select ${ledgerAccounts.id} from ${ledgerAccounts} where ${isWalletOf(accountId)})`;
  const inMonth = sql`${transfers.createdAt} >= date_trunc('month', now(), 'UTC')`;
  const rows = await on.execute(sql`
    with charged as (
      select ${transfers.orderId} as id, sum(${transfers.amountCents}) as cents from ${transfers}
      where ${transfers.fromAccount} = ${wallet} and ${isCharge} and ${inMonth} group by 1
    ), counted as (
      select charged.id, greatest(charged.cents - coalesce((
        select sum(${transfers.amountCents}) from ${transfers}
        where ${transfers.orderId} = charged.id and ${transfers.toAccount} = ${wallet} and ${inMonth}), 0), 0) as cents
      from charged
    )
    select ${orders.orderedBy} as "memberId", ${orders.projectId} as "projectId", sum(counted.cents) as "spentCents"
    from counted join ${orders} on ${orders.id} = counted.id
    ${wanted.length === 0 ? sql`` : sql`where ${sql.join(wanted, sql` or `)}`}
    group by 1, 2`);
  return spendingRows.parse([...rows]).filter(({ spentCents }) => spentCents > 0);
}
