import { db } from '@/db/client';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { lockRights, requireCovered } from '@/lib/access/authorize';
import { isAdminRole } from '@/lib/access/permissions';
import { hashChosenPassword } from '@/lib/auth/choose-password';
import { queueVerification } from '@/lib/auth/verify-email';
import { newId } from '@/lib/ids';
import { queueAdminNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireAssignableRole } from './change';
import { requirePerson } from './directory-queries';
import { createEmailTakenError } from './queries';
import type { CreateUserInput } from './schemas';
import type { PersonRow } from './views';

/**
 * Creates a user for staff. An Active user need not confirm the address; a Pending user is mailed a verification link.
 * @throws AppError conflict for an address that has an account, forbidden for a role with more rights than the actor,
 * invalid_input for an unknown role or a password that is easy to guess
 */
export async function createUser(
  caller: Actor,
  { name, email, status, role: wanted, password }: CreateUserInput,
): Promise<PersonRow> {
  const passwordHash = await hashChosenPassword(password, { name, email });
  return db().transaction(async (tx) => {
    const actor = await lockRights(tx, caller, 'ManageUsers');
    const role = await requireAssignableRole(tx, wanted);
    requireCovered(actor, role);
    const id = newId();
    const emailVerifiedAt = status === 'Active' ? new Date() : null;
    const [created] = await tx
      .insert(users)
      .values({ id, name, email, passwordHash, status, role: role.role, emailVerifiedAt })
      .onConflictDoNothing()
      .returning({ id: users.id });
    if (!created) throw createEmailTakenError(email);
    if (status === 'Pending') await queueVerification(tx, { id, email });
    const details = `${email} was added as ${role.role}, ${status}.`;
    await recordAudit(tx, actor, {
      action: 'user.created',
      details,
      entityType: 'user',
      entityId: id,
      after: { name, email, status, role: role.role },
    });
    if (isAdminRole(role.role) || role.permissions.length > 0)
      await queueAdminNotice(tx, actor, { subject: 'A user with permissions was added', text: details });
    return requirePerson(id, tx);
  });
}
