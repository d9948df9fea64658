import { eq, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { users } from '@/db/schema/users';
import type { Transaction } from '@/db/transaction';
import { recordController } from '@/lib/access/account-controllers';
import type { Actor } from '@/lib/access/actor';
import { lockRights, requireCovered } from '@/lib/access/authorize';
import { getRolePermissions, hasRightsOfStaff, type Permission, type Rights } from '@/lib/access/permissions';
import { requireRole } from '@/lib/access/roles';
import { getApprovalLimit } from '@/lib/approvals/limit';
import { type Approval, withApproval } from '@/lib/approvals/request';
import { createStaffAccountError, getGranter, requireGrantAllowed } from '@/lib/approvals/staff-rights';
import { invalidateEmailTokens } from '@/lib/auth/email-token';
import { hashChosenPassword } from '@/lib/auth/password';
import { requireRecentAuthentication } from '@/lib/auth/recent-authentication';
import { endAllSessions, revokeProgramAccess } from '@/lib/auth/revoke-access';
import { queueVerification } from '@/lib/auth/verify-email';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { queueAdminNotice, queueRecoveryNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { queueEmailNotice } from './confirm-email-change';
import type { CreateUserInput, PersonRow, UpdateUserInput } from './contract';
import { hashUnknownPassword, queueInvitation } from './invitations';
import { createEmailTakenError, isEmailTaken, type LockedPerson, lockPerson, requirePerson } from './queries';

/**
 * Creates a user for staff. An Active user need not confirm the address; a Pending user is mailed a verification link.
 * Without a password the user is invited: Pending, and mailed a link to set one.
 * @throws AppError conflict for an address that has an account, forbidden for a role with more rights than the actor,
 * invalid_input for an unknown role, a role of staff while those need approval, a password that is easy to guess, or a
 * status that an invited user cannot have
 */
export async function createUser(
  caller: Actor,
  { name, email, status: given, role: requested, password }: CreateUserInput,
): Promise<PersonRow> {
  const isInvited = password === undefined;
  if (isInvited && !['Active', 'Pending'].includes(given)) throw createInvitedStatusError();
  const status = isInvited ? 'Pending' : given;
  const passwordHash = await (isInvited ? hashUnknownPassword() : hashChosenPassword(password, { name, email }));
  return db().transaction(async (tx) => {
    const actor = await lockRights(tx, caller, 'ManageUsers');
    const role = await requireAssignableRole(tx, requested);
    requireCovered(actor, role);
    if (hasRightsOfStaff(role) && (await getApprovalLimit(tx)).approvesStaffRights) {
      throw createStaffAccountError(role.role);
    }
    const id = newId();
    const emailVerifiedAt = status === 'Active' ? new Date() : null;
    const [created] = await tx
      .insert(users)
      .values({
        ...{ id, name, email, passwordHash, status, role: role.role, emailVerifiedAt },
        rightsSince: sql`now()`,
        ...(isInvited && { invitedAt: sql`now()` }),
      })
      .onConflictDoNothing()
      .returning({ id: users.id });
    if (!created) throw createEmailTakenError(email);
    await recordController(tx, actor, id);
    if (isInvited) await queueInvitation(tx, { id, email });
    else if (status === 'Pending') await queueVerification(tx, { id, email });
    const details = isInvited
      ? `${email} was invited as ${role.role}.`
      : `${email} was added as ${role.role}, ${status}.`;
    await recordAudit(tx, actor, {
      action: 'user.created',
      details,
      entityType: 'user',
      entityId: id,
      after: { name, email, status, role: role.role },
    });
    if (hasRightsOfStaff(role))
      await queueAdminNotice(tx, actor, { subject: 'A user with permissions was added', text: details });
    return requirePerson(id, tx);
  });
}

/**
 * Updates a user for staff; omitted fields stay unchanged.
 * @throws AppError not_found, invalid_input for a password that is easy to guess, conflict for a stale `version` or an
 * address that has an account, and as `changePerson`
 */
export async function updateUser(
  caller: Actor,
  id: string,
  { version, password, ...requested }: UpdateUserInput,
): Promise<PersonRow> {
  const passwordHash = password === undefined ? undefined : await hashNewPassword(id, password, requested);
  const save = () =>
    db().transaction(async (tx) => {
      const actor = await lockRights(tx, caller, 'ManageUsers');
      const person = await lockPerson(tx, id);
      requireVersion(person, version, person.email);
      await changePerson(tx, actor, person, { ...requested, passwordHash });
      return requirePerson(id, tx);
    });
  const saving = withApproval(caller, save, untilApproved);
  return saving.catch((thrown: unknown) => {
    throw isEmailTaken(thrown) ? createEmailTakenError(requested.email ?? '') : thrown;
  });
}

const untilApproved = ['change', 'the user stays unchanged'] as const;

const createInvitedStatusError = () => {
  const message = 'Enter a password for this status. A person who is invited is Pending until the password is set.';
  return new AppError('invalid_input', message, { fields: { status: message } });
};

async function hashNewPassword(
  id: string,
  password: string,
  requested: Pick<UpdateUserInput, 'name' | 'email'>,
): Promise<string> {
  const { name, email } = await requirePerson(id);
  return hashChosenPassword(password, { name: requested.name ?? name, email: requested.email ?? email });
}

type PersonChanges = Partial<Pick<LockedPerson, 'name' | 'email' | 'status' | 'role'>> & {
  passwordHash?: string;
};

/**
 * Updates a locked user for staff. A changed status, role, email or password ends the user's sessions and invalidates
 * mailed links, so that a reactivated account must sign in again. All but a changed role also revoke API tokens, whose
 * permissions follow the role.
 * @param actor the actor returned by `lockRights`
 * @param approval the approved request of a role
 * @throws ApprovalRequired for more rights of staff while those need approval
 * @throws AppError forbidden when the user or the role has more rights than the actor, and for the actor's own role,
 * status, email and password; invalid_input for an unknown role; reauthentication_required for a changed role, email
 * or password
 */
async function changePerson(
  tx: Executor,
  actor: Actor,
  person: LockedPerson,
  { passwordHash, ...requested }: PersonChanges,
  approval?: Approval,
): Promise<void> {
  requireCovered(actor, person);
  const role = requested.role === undefined ? undefined : await requireAssignableRole(tx, requested.role);
  const after = { ...person, ...omitUndefined(requested), ...(role && { role: role.role }) };
  const changed = (['name', 'email', 'status', 'role'] as const).filter((field) => after[field] !== person[field]);
  if (changed.length === 0 && passwordHash === undefined) return;
  if (person.id === actor.userId) requireAllowedOnSelf(changed, passwordHash !== undefined);
  // A changed email address allows a password reset.
  const takesAccount = changed.includes('email') || passwordHash !== undefined;
  if (takesAccount || changed.includes('role')) requireRecentAuthentication(actor);
  if (role && changed.includes('role')) {
    requireCovered(actor, role);
    await requireGrantAllowed(tx, {
      held: person,
      rights: role,
      payload: { change: 'role', userId: person.id, role: role.role },
      subject: `rights:${person.id}`,
      summary: `Change the role of ${person.email} from ${person.role} to ${role.role}.`,
      beneficiaryId: person.id,
      approval,
    });
  }

  const givesRights =
    takesAccount || changed.includes('role') || (changed.includes('status') && after.status === 'Active');
  const pick = (from: LockedPerson) => Object.fromEntries(changed.map((field) => [field, from[field]]));
  await tx
    .update(users)
    .set({
      ...pick(after),
      ...(changed.includes('role') && { roleSince: sql`now()` }),
      ...(givesRights && { rightsSince: sql`now()` }),
      ...(passwordHash !== undefined && { passwordHash }),
      // An account made Active gets its password by the reset link, as every other.
      ...((passwordHash !== undefined || after.status === 'Active') && { invitedAt: null }),
      version: person.version + 1,
    })
    .where(eq(users.id, person.id));
  // The built-in roles of customers give no rights.
  const givesRole = role && changed.includes('role') && (!role.isBuiltIn || hasRightsOfStaff(role));
  if (takesAccount || givesRole) await recordController(tx, getGranter(actor, approval), person.id);
  const signsOut = changed.some((field) => field !== 'name') || passwordHash !== undefined;
  const ended = signsOut ? await endAllSessions(tx, person.id) : 0;
  if (takesAccount || changed.includes('status')) await revokeProgramAccess(tx, actor, person.id);
  if (signsOut) await invalidateEmailTokens(tx, person.id, 'reset-password', 'change-email', 'verify-email', 'invite');
  if (signsOut && after.status === 'Pending') {
    const isInvited = person.invitedAt !== null && passwordHash === undefined;
    await (isInvited ? queueInvitation(tx, after) : queueVerification(tx, after));
  }
  if (changed.includes('email')) await queueEmailNotice(tx, { to: person.email, newEmail: after.email, isDone: true });
  const details = describeChanges(person, after, changed, passwordHash !== undefined, ended);
  await recordAudit(tx, actor, {
    action: changed.length === 1 && changed[0] === 'role' ? 'user.role_changed' : 'user.updated',
    details,
    entityType: 'user',
    entityId: person.id,
    before: pick(person),
    after: pick(after),
  });
  if (role && changed.includes('role') && (hasRightsOfStaff(role) || hasRightsOfStaff(person)))
    await queueAdminNotice(tx, actor, { subject: 'The permissions of a user changed', text: details });
  if (passwordHash !== undefined)
    await queueRecoveryNotice(
      tx,
      { userId: person.id, email: after.email },
      {
        subject: 'Your password was changed',
        text: 'The team of this marketplace set a new password for your account and ended its sessions.',
      },
    );
}

/** Prevents users from locking themselves out, and a stolen session from changing the password or address. */
function requireAllowedOnSelf(changed: readonly string[], setsPassword: boolean): void {
  if (changed.includes('role') || changed.includes('status')) {
    throw new AppError('forbidden', 'You cannot change your own role or status. Ask another admin.');
  }
  if (changed.includes('email') || setsPassword) {
    throw new AppError('forbidden', 'Change your own email and password in Profile settings.');
  }
}

function omitUndefined(changes: PersonChanges): PersonChanges {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function describeChanges(
  before: LockedPerson,
  after: LockedPerson,
  changed: readonly ('name' | 'email' | 'status' | 'role')[],
  setsPassword: boolean,
  ended: number,
): string {
  const parts = changed.map((field) => `${field} ${before[field] || 'empty'} → ${after[field]}`);
  if (setsPassword) parts.push('a new password');
  const sessions = ended === 1 ? '1 session was ended' : `${ended} sessions were ended`;
  return `${before.email} was changed: ${parts.join(', ')}${ended > 0 ? `; ${sessions}` : ''}.`;
}

/**
 * Finds the role to assign, with its permissions.
 * @throws AppError invalid_input with `fields.role` for an unknown name
 */
async function requireAssignableRole(tx: Executor, name: string): Promise<Rights & { isBuiltIn: boolean }> {
  const role = await requireRole(name, tx).catch((thrown: unknown) => {
    if (!(thrown instanceof AppError)) throw thrown;
    throw new AppError('invalid_input', thrown.message, { fields: { role: thrown.message } });
  });
  return { role: role.name, permissions: getRolePermissions(role), isBuiltIn: role.isBuiltIn };
}

/**
 * Assigns a role to a user in place of the current one. Assigning the current role does nothing, so that both endpoints
 * may be called for one choice.
 * @param access the access rule of the endpoint
 * @throws AppError not_found, invalid_input for an unknown role, forbidden as `changePerson`
 */
export async function assignRole(
  caller: Actor,
  userId: string,
  role: string,
  access: Permission | readonly Permission[] = 'ManageUsers',
): Promise<PersonRow> {
  const assign = () =>
    db().transaction(async (tx) => {
      const actor = await lockRights(tx, caller, access);
      await changePerson(tx, actor, await lockPerson(tx, userId), { role });
      return requirePerson(userId, tx);
    });
  return withApproval(caller, assign, untilApproved);
}

/** Assigns a role in the transaction of its approval. @throws AppError as `assignRole` */
export async function assignApprovedRole(
  tx: Transaction,
  caller: Actor,
  { userId, role }: { userId: string; role: string },
  approval: Approval,
): Promise<void> {
  const actor = await lockRights(tx, caller, 'ManageUsers');
  await changePerson(tx, actor, await lockPerson(tx, userId), { role }, approval);
}
