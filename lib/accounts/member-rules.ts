import { type AccountRole, accountRoles } from '@/db/enums';
import { accountRights, hasAccountRight } from '@/lib/access/account-roles';
import { formatUsd } from '@/lib/money';
import { accountRoleNames } from './role-names';

/** What a member may do and see in an account. */
export type Membership = {
  role: AccountRole;
  /** Null for all. */
  projectIds: readonly string[] | null;
  /** USD cents; null for no limit. */
  monthlyLimitCents: number | null;
};

/** Lists the roles that a member can give and take. */
export function listManageableRoles(role: AccountRole): readonly AccountRole[] {
  if (role === 'owner') return accountRoles;
  return role === 'manager' ? ['buyer', 'client'] : [];
}

/**
 * Checks whether a member may invite, change or remove another with this membership: an owner each, a manager those with
 * a lower role who see no project that the manager does not see and may spend no more than the manager.
 */
export function mayManage(manager: Membership, member: Membership): boolean {
  if (!listManageableRoles(manager.role).includes(member.role)) return false;
  return manager.role === 'owner' || (isWithinProjects(manager, member) && isWithinLimit(manager, member));
}

const isWithinProjects = (manager: Membership, member: Membership): boolean =>
  manager.projectIds === null || (member.projectIds?.every((id) => manager.projectIds?.includes(id)) ?? false);

/** A limit counts only for roles that order. */
const isWithinLimit = (manager: Membership, member: Membership): boolean =>
  manager.monthlyLimitCents === null ||
  !hasAccountRight(member.role, 'account:orders') ||
  (member.monthlyLimitCents !== null && member.monthlyLimitCents <= manager.monthlyLimitCents);

/** Checks whether a change of the role takes a right from a member. */
export const losesRight = (before: AccountRole, after: AccountRole): boolean =>
  accountRights.some((right) => hasAccountRight(before, right) && !hasAccountRight(after, right));

/** Reads what an invitation or a change gives. */
export const toMembership = ({
  role,
  projectIds,
  monthlyLimitCents,
}: {
  role: AccountRole;
  projectIds: 'all' | string[];
  monthlyLimitCents: number | null;
}) => ({ role, projectIds: projectIds === 'all' ? null : projectIds, monthlyLimitCents });

/** Describes a membership for the audit log and mails. */
export function describeMembership({ role, projectIds, monthlyLimitCents }: Membership): string {
  const sees =
    projectIds === null ? 'all projects' : projectIds.length === 1 ? '1 project' : `${projectIds.length} projects`;
  const limit = monthlyLimitCents === null ? 'no monthly limit' : `a monthly limit of ${formatUsd(monthlyLimitCents)}`;
  return `${accountRoleNames[role]} with ${sees}${hasAccountRight(role, 'account:orders') ? ` and ${limit}` : ''}`;
}
