import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { featureRoles } from '@/db/schema/feature-roles';
import { passkeys } from '@/db/schema/passkeys';
import { users } from '@/db/schema/users';
import { lockAccount } from '@/lib/access/accounts';
import type { Actor } from '@/lib/access/actor';
import { lockRights, requireCovered } from '@/lib/access/authorize';
import { closeAccount, requireNoMoney } from '@/lib/accounts/close';
import { leaveAccounts } from '@/lib/accounts/leave-accounts';
import { invalidateEmailTokens } from '@/lib/auth/email-token';
import { endAllSessions, revokeProgramAccess } from '@/lib/auth/revoke-access';
import { AppError } from '@/lib/errors';
import { deleteNotesAboutUser } from '@/lib/notes/notes';
import { endChangesOfUser } from '@/lib/orders/placements/changes/follow';
import { takeOverPlacements } from '@/lib/orders/placements/review';
import { recordAudit } from '@/lib/platform/audit/record';
import { withdrawAllSites } from '@/lib/sites/delete';
import { lockPerson } from '@/lib/users/queries';

/**
 * Deletes a user: ends the sessions and memberships, removes sign-in methods and staff's notes about the user, closes the
 * personal account (`closeAccount`), deletes the user's sites and takes over their open orders. Orders, also those of
 * teams, ledger entries, audit entries and the email address are kept.
 * @throws AppError not_found, forbidden for the actor's own account and for a user with more rights than the actor;
 * conflict for a user whose personal account has money or orders that are not finished, and for the last owner of a team
 * with other members, money or such orders
 */
export async function deleteUser(caller: Actor, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    // The numbers of sites and of imported links of a user are not limited.
    await extendStatementTimeout(tx);
    const actor = await lockRights(tx, caller, 'ManageUsers');
    const person = await lockPerson(tx, id);
    if (person.id === actor.userId) {
      throw new AppError('forbidden', 'You cannot delete your own account. Ask another admin.');
    }
    requireCovered(actor, person);
    await lockAccount(tx, id);
    await requireNoMoney(tx, id, person.email);
    await leaveAccounts(tx, actor, { userId: id, email: person.email });
    await tx
      .update(users)
      .set({ deletedAt: new Date(), version: person.version + 1 })
      .where(eq(users.id, id));
    await tx.delete(featureRoles).where(eq(featureRoles.userId, id));
    await tx.delete(passkeys).where(eq(passkeys.userId, id));
    await closeAccount(tx, id);
    await deleteNotesAboutUser(tx, id);
    const ended = await endAllSessions(tx, id);
    await revokeProgramAccess(tx, actor, id);
    await invalidateEmailTokens(tx, id, 'reset-password', 'change-email', 'verify-email', 'invite');
    const withdrawn = await withdrawAllSites(tx, id);
    const claimed = await takeOverPlacements(tx, actor, id);
    await endChangesOfUser(tx, actor, id);
    await recordAudit(tx, actor, {
      action: 'user.deleted',
      details: `${person.email} was deleted with ${withdrawn} sites; ${ended} sessions were ended${claimed > 0 ? ` and ${claimed} orders taken over` : ''}.`,
      entityType: 'user',
      entityId: id,
      before: { name: person.name, email: person.email, status: person.status, role: person.role },
    });
  });
}
