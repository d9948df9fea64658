import { and, eq, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { accountMembers } from '@/db/schema/accounts';
import { users } from '@/db/schema/users';
import { lockAccount } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { revokeTeamPrograms } from '@/lib/auth/revoke-access';
import { AppError } from '@/lib/errors';
import { queueMemberNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { closeAccount, requireNoMoney } from './close';
import { requireMember } from './require-member';

/**
 * Deletes a team (`closeAccount`). Its orders and documents stay.
 * @throws AppError not_found, forbidden; conflict for a personal account, and for one with money or with orders that are not
 * finished
 */
export async function deleteAccount(actor: Actor, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    // The number of imported links is not limited.
    await extendStatementTimeout(tx);
    await lockAccount(tx, id);
    const account = await requireMember(tx, actor, id, 'account:manage');
    if (account.kind === 'personal') {
      throw new AppError('conflict', 'A personal account ends with its person. Ask support to delete your user.');
    }
    await requireNoMoney(tx, id, `The account “${account.name}”`);
    const members = await tx
      .select({ userId: users.id, email: users.email, status: users.status, role: accountMembers.role })
      .from(accountMembers)
      .innerJoin(users, eq(users.id, accountMembers.userId))
      .where(and(eq(accountMembers.accountId, id), isNull(users.deletedAt)))
      .orderBy(users.id);
    await closeAccount(tx, id);
    const inAccount = { ...actor, accountName: account.name };
    await revokeTeamPrograms(tx, inAccount, id);
    await recordAudit(tx, inAccount, {
      action: 'account.deleted',
      details: `${actor.email} deleted the account, which had ${members.length} members.`,
      entityType: 'account',
      entityId: id,
      before: { name: account.name, members: members.map(({ email, role }) => ({ email, role })) },
    });
    await queueMemberNotice(
      tx,
      members.filter(({ userId, status }) => userId !== actor.userId && status === 'Active').map(({ email }) => email),
      {
        subject: `The account “${account.name}” was deleted`,
        text: `${actor.email} deleted it. It can no longer be opened.`,
        advice: 'If you need its documents, ask the person who deleted it.',
      },
    );
  });
}
