import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { accountMembers } from '@/db/schema/accounts';
import { projects } from '@/db/schema/projects';
import { users } from '@/db/schema/users';
import { hasAccountRight, isInScope, listRolesWith } from '@/lib/access/account-roles';
import type { Actor } from '@/lib/access/actor';
import { listSpending } from '@/lib/orders/spending/facts';

/** What a member or a project spent this month of its limit, in USD cents with tax; null for no limit. */
export type MonthSpend = { id: string; name: string; spentCents: number; limitCents: number | null };

/** The most members and projects that are listed. */
const maxListed = 10;

/**
 * Reads what an account spent in the current calendar month (UTC) by member and by project, as limits count it: the projects
 * that the actor sees, and the members for who sees all of them and may view members; others see their own limit.
 * @returns those closest to their limits first; `more` counts those that are left out
 */
export async function getMonthSpend(actor: Actor) {
  const { accountId, userId, projectIds } = actor;
  const seesMembers = projectIds === null && hasAccountRight(actor.accountRole, 'account:members');
  const [spent, members, ofProjects] = await Promise.all([
    listSpending(db(), { accountId }),
    db()
      .select({ id: users.id, name: users.name, email: users.email, limitCents: accountMembers.monthlyLimitCents })
      .from(accountMembers)
      .innerJoin(users, eq(users.id, accountMembers.userId))
      .where(
        and(
          eq(accountMembers.accountId, accountId),
          inArray(accountMembers.role, listRolesWith('account:orders')),
          seesMembers ? undefined : eq(accountMembers.userId, userId),
        ),
      )
      .orderBy(asc(users.id)),
    db()
      .select({ id: projects.id, name: projects.domain, limitCents: projects.monthlyBudgetCents })
      .from(projects)
      .where(
        and(isInScope(actor, { accountId: projects.accountId, projectId: projects.id }), isNull(projects.deletedAt)),
      )
      .orderBy(asc(projects.id)),
  ]);
  const sumOf = (key: 'memberId' | 'projectId', id: string) =>
    spent.reduce((sum, row) => (row[key] === id ? sum + row.spentCents : sum), 0);
  const known = new Set(members.map(({ id }) => id));
  const formerCents = spent.reduce((sum, row) => (known.has(row.memberId) ? sum : sum + row.spentCents), 0);
  const former = { id: 'former', name: 'Former members', spentCents: formerCents, limitCents: null };
  const rows = members.map(({ id, name, email, limitCents }) => ({
    ...{ id, name: name || email, limitCents },
    spentCents: sumOf('memberId', id),
  }));
  return {
    // Alone, a row without a limit repeats the total.
    members: listClosest(seesMembers && rows.length > 1 ? [...rows, former] : rows.filter(isLimited)),
    projects: listClosest(ofProjects.map((project) => ({ ...project, spentCents: sumOf('projectId', project.id) }))),
  };
}

const isLimited = ({ limitCents }: MonthSpend) => limitCents !== null;

/** Lists who has a limit or spent something, the closest to the limit first. */
function listClosest(all: readonly MonthSpend[]): { rows: MonthSpend[]; more: number } {
  const shareOf = ({ spentCents, limitCents }: MonthSpend) =>
    limitCents === null ? -1 : limitCents === 0 ? Number.MAX_VALUE : spentCents / limitCents;
  const shown = all
    .filter((row) => isLimited(row) || row.spentCents > 0)
    .toSorted((one, other) => shareOf(other) - shareOf(one) || other.spentCents - one.spentCents);
  return { rows: shown.slice(0, maxListed), more: Math.max(0, shown.length - maxListed) };
}
