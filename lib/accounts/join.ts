import { and, eq, gt, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { accountInvitations, accountMembers, accounts } from '@/db/schema/accounts';
import { users } from '@/db/schema/users';
import { recordController } from '@/lib/access/account-controllers';
import { isUsableAccount, listConcerned, lockAccount, shownName } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { queueMemberNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { hashInvitationToken } from './invitation-token';
import { describeMembership } from './member-rules';
import { requireMember } from './require-member';

/** Reads the invitation of a link, for its page; null for one that is unknown, replaced, withdrawn, used or ended. */
export async function findInvitation(token: string, executor: Executor = db()) {
  const [found] = await executor
    .select({
      accountId: accounts.id,
      account: shownName,
      kind: accounts.kind,
      role: accountInvitations.role,
      email: accountInvitations.email,
      inviter: users.name,
      inviterEmail: users.email,
      expiresAt: accountInvitations.expiresAt,
    })
    .from(accountInvitations)
    .innerJoin(accounts, eq(accounts.id, accountInvitations.accountId))
    .innerJoin(users, eq(users.id, accountInvitations.invitedBy))
    .where(
      and(
        eq(accountInvitations.tokenHash, hashInvitationToken(token)),
        gt(accountInvitations.expiresAt, sql`now()`),
        isUsableAccount,
      ),
    );
  return found ?? null;
}

/** Checks whether an invitation is for a user. A user is Active only with a confirmed address. */
export const isInvited = (invitation: { email: string }, user: { email: string }): boolean =>
  invitation.email.toLowerCase() === user.email.toLowerCase();

/** Checks whether a user is a member of an account. */
async function isMember(tx: Executor, accountId: string, userId: string): Promise<boolean> {
  const found = await tx
    .select({ userId: accountMembers.userId })
    .from(accountMembers)
    .where(and(eq(accountMembers.accountId, accountId), eq(accountMembers.userId, userId)));
  return found.length > 0;
}

/**
 * Makes the actor a member of the account of an invitation, which works once. A team is then recorded as an account through
 * which the person acts, for decisions that need a second person. A personal account is not: its id is that of its person,
 * whom the member does not control.
 * @throws AppError not_found for an invitation that is unknown, replaced, withdrawn, used or ended; forbidden for one to
 * another address; conflict for a member
 */
export async function joinAccount(actor: Actor, token: string) {
  return db().transaction(async (tx) => {
    const found = await findInvitation(token, tx);
    if (!found) throw createEndedError();
    if (!isInvited(found, actor)) {
      throw new AppError(
        'forbidden',
        `This invitation was sent to another address than ${actor.email}. Sign in with that address, or ask for an invitation to this one.`,
      );
    }
    const { accountId } = found;
    // A person who is being deleted joins nothing any more.
    await lockAccount(tx, actor.userId);
    await requireMember(tx, actor, actor.userId, null);
    await lockAccount(tx, accountId);
    if (await isMember(tx, accountId, actor.userId)) {
      throw new AppError('conflict', `You are already a member of “${found.account}”.`);
    }
    // Again under the lock: of a withdrawal, a deletion and concurrent acceptances one is first.
    const [used] = await tx
      .delete(accountInvitations)
      .where(eq(accountInvitations.tokenHash, hashInvitationToken(token)))
      .returning();
    if (!used) throw createEndedError();
    const { role, projectIds, monthlyLimitCents } = used;
    await tx.insert(accountMembers).values({ accountId, userId: actor.userId, role, projectIds, monthlyLimitCents });
    if (found.kind === 'team') await recordController(tx, actor, accountId);
    const joinedAs = describeMembership(used);
    await recordAudit(
      tx,
      { ...actor, accountName: found.account },
      {
        action: 'member.joined',
        details: `${actor.email} accepted the invitation of ${found.inviterEmail} and joined as ${joinedAs}.`,
        entityType: 'account',
        entityId: accountId,
        after: { email: actor.email, role, projectIds, monthlyLimitCents },
      },
    );
    const owners = await listConcerned(tx, { accountId, right: 'account:manage' });
    await queueMemberNotice(
      tx,
      owners.filter(({ userId }) => userId !== actor.userId).map(({ email }) => email),
      {
        subject: `${actor.email} joined “${found.account}”`,
        text: `${actor.email} accepted the invitation of ${found.inviterEmail} and is now ${joinedAs}.`,
        advice: 'If you do not expect this, remove the member.',
      },
    );
    return { account: { id: accountId, name: found.account, kind: found.kind, role } };
  });
}

const createEndedError = () =>
  new AppError(
    'not_found',
    'This invitation is no longer valid: it was accepted, replaced or withdrawn, or is older than 7 days. Ask for a new one.',
  );
