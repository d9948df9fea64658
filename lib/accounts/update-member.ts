import { and, eq, isNull } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { accountMembers } from '@/db/schema/accounts';
import { users } from '@/db/schema/users';
import { lockSpending } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { queueMemberNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import type { UpdateMemberInput } from './contract';
import { endGrants, requireOtherOwner } from './end-access';
import { requireManageable } from './invite';
import { describeMembership, type Membership, mayManage, toMembership } from './member-rules';
import { type ListedMember, memberColumns } from './queries';
import { requireMember } from './require-member';
import { requireProjects } from './require-projects';

/**
 * Changes the role, the projects or the limit of a member, from the member's next request on. With a role that has less
 * rights, the member's API tokens of the account end; so do the invitations that the member could not send any more.
 * @throws AppError not_found; forbidden for a member whom the actor does not manage, and for what the actor cannot give;
 * unprocessable for projects that the actor does not see; conflict for the person of a personal account, the last owner
 * and a stale `version`
 */
export async function updateMember(
  actor: Actor,
  { accountId, userId }: { accountId: string; userId: string },
  { version, ...input }: UpdateMemberInput,
): Promise<ListedMember> {
  return db().transaction(async (tx) => {
    await lockSpending(tx, accountId);
    const self = await requireMember(tx, actor, accountId, 'account:members');
    const before = await findMember(tx, { accountId, userId });
    if (userId === accountId) throw createOwnAccountError();
    requireVersion(before, version, `The membership of ${before.email}`);
    const after = change(before, input);
    requireManageable(self, before);
    requireManageable(self, after);
    if (input.projectIds !== undefined)
      await requireProjects(tx, { accountId, projectIds: self.projectIds }, after.projectIds);
    if (before.role === 'owner' && after.role !== 'owner') {
      await requireOtherOwner(tx, { accountId, userId, email: before.email });
    }
    const [changed] = await tx
      .update(accountMembers)
      .set({ ...after, version: before.version + 1 })
      .where(and(eq(accountMembers.accountId, accountId), eq(accountMembers.userId, userId)))
      .returning({ version: accountMembers.version });
    if (!changed) throw new Error('The member was not updated.');
    const inAccount = { ...actor, accountName: self.name };
    await recordAudit(tx, inAccount, {
      action: 'member.updated',
      details: `${before.email} is now ${describeMembership(after)}.`,
      entityType: 'account',
      entityId: accountId,
      before: { email: before.email, ...toStored(before) },
      after: { email: before.email, ...after },
    });
    await endGrants(tx, inAccount, { accountId, userId }, before, after);
    if (before.role !== after.role && userId !== actor.userId) {
      await queueMemberNotice(tx, before.email, {
        subject: `Your role in “${self.name}” was changed`,
        text: `${actor.email} changed it. You are now ${describeMembership(after)}.`,
        advice: 'If you do not expect this, ask an owner of the account.',
      });
    }
    const { name, email, createdAt } = before;
    const isManageable = mayManage(userId === actor.userId ? after : self, after);
    return { userId, name, email, ...after, version: changed.version, createdAt, isManageable };
  });
}

/** Reads a member who is not deleted. @throws AppError not_found */
export async function findMember(tx: Executor, { accountId, userId }: { accountId: string; userId: string }) {
  const [member] = await tx
    .select(memberColumns)
    .from(accountMembers)
    .innerJoin(users, eq(users.id, accountMembers.userId))
    .where(and(eq(accountMembers.accountId, accountId), eq(accountMembers.userId, userId), isNull(users.deletedAt)));
  if (!member) throw new AppError('not_found', 'This person is no member of the account.');
  return member;
}

export const createOwnAccountError = () =>
  new AppError('conflict', 'This is the person’s own account: its owner stays.');

/** @throws AppError unprocessable for an owner of named projects */
function change(before: Membership, input: Omit<UpdateMemberInput, 'version'>) {
  const role = input.role ?? before.role;
  const kept = role === 'owner' ? 'all' : before.projectIds === null ? 'all' : [...before.projectIds];
  const { projectIds = kept, monthlyLimitCents = before.monthlyLimitCents } = input;
  return toMembership({ role, projectIds, monthlyLimitCents });
}

const toStored = ({ role, projectIds, monthlyLimitCents }: Membership) => ({ role, projectIds, monthlyLimitCents });
