import type { AccountRole } from '@/db/enums';
import { hasAccountRight } from '@/lib/access/account-roles';

/** What a member may do and see in an account. */
export type Membership = {
  role: AccountRole;
  /** Null for all. */
  projectIds: readonly string[] | null;
  /** USD cents; null for no limit. */
  monthlyLimitCents: number | null;
};

/** Lists the roles that a member can give and take. */
export function listManageableRoles(role: AccountRole): AccountRole[] {
  if (role === 'owner') return ['owner', 'manager', 'buyer', 'finance', 'client'];
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

/**
 * Checks whether a change takes something from a member: a right, or a project. The API tokens of the member then end,
 * because they were made for more.
 */
export function isLower(before: Membership, after: Membership): boolean {
  return before.role !== after.role && ranks[after.role] > ranks[before.role];
}

const ranks: Record<AccountRole, number> = { owner: 0, manager: 1, buyer: 2, finance: 2, client: 3 };
