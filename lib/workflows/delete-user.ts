import { and, eq, ne } from 'drizzle-orm';
import { db } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { accounts } from '@/db/schema/accounts';
import { carts } from '@/db/schema/carts';
import { clientReportMails } from '@/db/schema/client-reports';
import { featureRoles } from '@/db/schema/feature-roles';
import { passkeys } from '@/db/schema/passkeys';
import { blockedDomains } from '@/db/schema/project-domains';
import { projects } from '@/db/schema/projects';
import { billingProfiles } from '@/db/schema/tax';
import { users } from '@/db/schema/users';
import { webhookEndpoints } from '@/db/schema/webhook-endpoints';
import type { Actor } from '@/lib/access/actor';
import { lockRights, requireCovered } from '@/lib/access/authorize';
import { invalidateEmailTokens } from '@/lib/auth/email-token';
import { endAllSessions, revokeProgramAccess } from '@/lib/auth/revoke-access';
import { AppError } from '@/lib/errors';
import { getWalletBalance } from '@/lib/ledger/balance';
import { deleteNotesAboutUser } from '@/lib/notes/notes';
import { endChangesOfUser } from '@/lib/orders/placements/changes/follow';
import { takeOverPlacements } from '@/lib/orders/placements/review';
import { recordAudit } from '@/lib/platform/audit/record';
import { deleteLinkData } from '@/lib/projects/projects';
import { withdrawAllSites } from '@/lib/sites/delete';
import { lockPerson } from '@/lib/users/queries';

/**
 * Deletes a user: ends the sessions, removes sign-in methods, carts, billing details, block lists, imported links, anchor
 * plans, monthly reports, chats and staff's notes about the user, deletes the user's sites and takes over their open
 * orders. Orders, ledger entries, audit entries and the email address are kept.
 * @throws AppError not_found, forbidden for the actor's own account and for a user with more rights than the actor
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
    await tx
      .update(users)
      .set({ deletedAt: new Date(), version: person.version + 1 })
      .where(eq(users.id, id));
    await tx.update(accounts).set({ deletedAt: new Date() }).where(eq(accounts.id, id));
    await tx.delete(featureRoles).where(eq(featureRoles.userId, id));
    await tx.delete(passkeys).where(eq(passkeys.userId, id));
    await tx.delete(carts).where(eq(carts.accountId, id));
    await tx.delete(billingProfiles).where(eq(billingProfiles.accountId, id));
    await tx.delete(blockedDomains).where(eq(blockedDomains.accountId, id));
    await deleteLinkData(tx, eq(projects.accountId, id));
    await tx.delete(clientReportMails).where(eq(clientReportMails.accountId, id));
    await tx
      .delete(webhookEndpoints)
      .where(and(eq(webhookEndpoints.ownerId, id), ne(webhookEndpoints.channel, 'webhook')));
    await deleteNotesAboutUser(tx, id);
    const ended = await endAllSessions(tx, id);
    await revokeProgramAccess(tx, actor, id);
    await invalidateEmailTokens(tx, id, 'reset-password', 'change-email', 'verify-email', 'invite');
    const withdrawn = await withdrawAllSites(tx, id);
    const claimed = await takeOverPlacements(tx, actor, id);
    await endChangesOfUser(tx, actor, id);
    const balanceCents = await getWalletBalance(id, tx);
    await recordAudit(tx, actor, {
      action: 'user.deleted',
      details: `${person.email} was deleted with ${withdrawn} sites; ${ended} sessions were ended${claimed > 0 ? ` and ${claimed} orders taken over` : ''}.`,
      entityType: 'user',
      entityId: id,
      before: { name: person.name, email: person.email, status: person.status, role: person.role, balanceCents },
    });
  });
}
