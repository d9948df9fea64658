import { and, count, eq, gt, isNull, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { db, type Executor } from '@/db/client';
import { accountInvitations, accountMembers } from '@/db/schema/accounts';
import { users } from '@/db/schema/users';
import { lockAccount } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { newId, newSecret } from '@/lib/ids';
import { queueMail } from '@/lib/mail/compose';
import { MemberInvitationMail } from '@/lib/mail/templates/member-invitation';
import { recordAudit } from '@/lib/platform/audit/record';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import type { InviteMemberInput } from './contract';
import { hashInvitationToken } from './invitation-token';
import { describeMembership, type Membership, mayManage, toMembership } from './member-rules';
import type { ListedInvitation } from './queries';
import { requireMember } from './require-member';
import { requireProjects } from './require-projects';
import { accountRoleNames } from './role-names';

/** The most members of an account, with open invitations. */
const maxMembers = 100;

const invitationDays = 7;

/**
 * Invites a person by mail to an account of the actor. The link works for a user with this address, for 7 days; an earlier
 * invitation of the address ends. The answer does not say whether the address has a user.
 * @throws AppError not_found, forbidden for a role, projects or a limit that the actor cannot give; unprocessable for
 * projects that the actor does not see; conflict for a member and above the number of members; rate_limited
 */
export async function inviteMember(
  actor: Actor,
  accountId: string,
  input: InviteMemberInput,
): Promise<ListedInvitation> {
  await consumeLimit('inviteMember', { account: actor.userId, address: actor.ip });
  const { email } = input;
  // Strangers to the account do not use up the limit of the address.
  await requireMember(db(), actor, accountId, 'account:members');
  await consumeLimit('invitedAddress', { account: email, address: actor.ip });
  const membership = toMembership(input);
  return db().transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const self = await requireMember(tx, actor, accountId, 'account:members');
    requireManageable(self, membership);
    await requireProjects(tx, { accountId, projectIds: self.projectIds }, membership.projectIds);
    await requireNoMember(tx, accountId, email);
    await endEarlier(tx, { accountId, email }, self);
    await requireRoom(tx, accountId);
    const token = newSecret();
    const [created] = await tx
      .insert(accountInvitations)
      .values({
        ...{ id: newId(), accountId, email, ...membership, invitedBy: actor.userId },
        tokenHash: hashInvitationToken(token),
        expiresAt: sql`now() + make_interval(days => ${invitationDays})`,
      })
      .returning();
    if (!created) throw new Error('The invitation was not inserted.');
    const role = accountRoleNames[membership.role];
    await queueMail(tx, {
      kind: 'member-invitation',
      to: email,
      subject: `You are invited to “${self.name}”`,
      body: (context) =>
        createElement(MemberInvitationMail, {
          ...context,
          ...{ account: self.name, inviter: actor.name, inviterEmail: actor.email, role },
          ...{ expiresAt: created.expiresAt, url: `${env().APP_URL}/invitations/${token}` },
        }),
      expiresInSeconds: invitationDays * 24 * 60 * 60,
    });
    await recordAudit(
      tx,
      { ...actor, accountName: self.name },
      {
        action: 'member.invited',
        details: `${email} was invited as ${describeMembership(membership)}.`,
        entityType: 'account',
        entityId: accountId,
        after: { email, ...membership },
      },
    );
    const { id, createdAt, expiresAt } = created;
    return { id, email, ...membership, invitedBy: actor.email, createdAt, expiresAt, isManageable: true };
  });
}

/**
 * Requires that a membership is possible, and that a member may give and take it.
 * @throws AppError unprocessable for an owner of named projects, forbidden
 */
export function requireManageable(self: Membership, membership: Membership): void {
  if (membership.role === 'owner' && membership.projectIds !== null) {
    const message = 'An owner sees all projects.';
    throw new AppError('unprocessable', message, { fields: { projectIds: message } });
  }
  if (mayManage(self, membership)) return;
  throw new AppError(
    'forbidden',
    `Your role (${self.role}) does not allow this. Managers manage Buyers and Clients, within the projects and the monthly limit that they have themselves. Ask an owner of the account.`,
  );
}

async function requireNoMember(tx: Executor, accountId: string, email: string): Promise<void> {
  const [member] = await tx
    .select({ userId: users.id })
    .from(accountMembers)
    .innerJoin(users, eq(users.id, accountMembers.userId))
    .where(
      and(
        eq(accountMembers.accountId, accountId),
        eq(sql`lower(${users.email})`, email.toLowerCase()),
        isNull(users.deletedAt),
      ),
    );
  if (!member) return;
  const message = 'This person is a member already.';
  throw new AppError('conflict', message, { fields: { email: message } });
}

/** Ends the earlier invitation of an address. @throws AppError forbidden for one that the actor cannot give */
async function endEarlier(
  tx: Executor,
  { accountId, email }: { accountId: string; email: string },
  self: Membership,
): Promise<void> {
  const isOfAddress = and(
    eq(accountInvitations.accountId, accountId),
    eq(sql`lower(${accountInvitations.email})`, email.toLowerCase()),
  );
  const [open] = await tx
    .select()
    .from(accountInvitations)
    .where(and(isOfAddress, gt(accountInvitations.expiresAt, sql`now()`)));
  if (open) requireManageable(self, open);
  await tx.delete(accountInvitations).where(isOfAddress);
}

async function requireRoom(tx: Executor, accountId: string): Promise<void> {
  const [[members], [open]] = await Promise.all([
    tx.select({ number: count() }).from(accountMembers).where(eq(accountMembers.accountId, accountId)),
    tx
      .select({ number: count() })
      .from(accountInvitations)
      .where(and(eq(accountInvitations.accountId, accountId), gt(accountInvitations.expiresAt, sql`now()`))),
  ]);
  if ((members?.number ?? 0) + (open?.number ?? 0) < maxMembers) return;
  throw new AppError(
    'conflict',
    `An account has at most ${maxMembers} members and open invitations. Remove a member or withdraw an invitation first.`,
  );
}
