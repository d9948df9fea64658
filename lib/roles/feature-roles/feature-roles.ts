import { and, count, eq, ilike, isNull, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { featureRoles } from '@/db/schema/feature-roles';
import { users } from '@/db/schema/users';
import { recordController } from '@/lib/access/account-controllers';
import type { Actor } from '@/lib/access/actor';
import { lockRights, requireCovered } from '@/lib/access/authorize';
import type { Rights } from '@/lib/access/permissions';
import { type Approval, withApproval } from '@/lib/approvals/request';
import { getGranter, requireGrantAllowed } from '@/lib/approvals/staff-rights';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { queueAdminNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import type { Page } from '@/lib/platform/http/fields';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { type LockedPerson, lockPerson } from '@/lib/users/queries';
import {
  type Feature,
  type FeatureRoleInput,
  type FeatureRoleRow,
  getFeaturePermissions,
  isFeature,
  type UpdateFeatureRoleInput,
} from './contract';

const columns = {
  id: featureRoles.id,
  name: featureRoles.name,
  userId: featureRoles.userId,
  userName: users.name,
  userEmail: users.email,
  features: featureRoles.features,
  version: featureRoles.version,
};

/** Lists the records by name and user; all of them without a limit. `q` searches name, user and features. */
export async function listFeatureRoles({
  q = '',
  limit,
  offset = 0,
}: {
  q?: string;
  limit?: number;
  offset?: number;
} = {}): Promise<Page<FeatureRoleRow>> {
  const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  const texts = [featureRoles.name, users.name, users.email, sql`array_to_string(${featureRoles.features}, ' ')`];
  const where = and(isNull(users.deletedAt), q === '' ? undefined : or(...texts.map((text) => ilike(text, pattern))));
  const list = db()
    .select(columns)
    .from(featureRoles)
    .innerJoin(users, eq(users.id, featureRoles.userId))
    .where(where)
    .orderBy(sql`lower(${featureRoles.name}), lower(${users.email})`)
    .offset(offset);
  const [rows, counted] = await Promise.all([
    limit === undefined ? list : list.limit(limit),
    db().select({ total: count() }).from(featureRoles).innerJoin(users, eq(users.id, featureRoles.userId)).where(where),
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}

/** Lists a user's records, by name. */
export async function listUserFeatureRoles(userId: string): Promise<FeatureRoleRow[]> {
  return db()
    .select(columns)
    .from(featureRoles)
    .innerJoin(users, eq(users.id, featureRoles.userId))
    .where(eq(featureRoles.userId, userId))
    .orderBy(sql`lower(${featureRoles.name})`);
}

/** Returns a feature role. @throws AppError not_found */
export async function requireFeatureRole(id: string, executor: Executor = db()): Promise<FeatureRoleRow> {
  const [row] = await executor
    .select(columns)
    .from(featureRoles)
    .innerJoin(users, eq(users.id, featureRoles.userId))
    .where(and(eq(featureRoles.id, id), isNull(users.deletedAt)));
  if (!row) throw new AppError('not_found', 'This role does not exist or was deleted.');
  return row;
}

/**
 * Locks the user who receives the features.
 * @throws AppError invalid_input for an unknown user, forbidden when the user or the features have more rights than the
 * actor
 */
async function requireHolder(
  tx: Executor,
  actor: Rights,
  userId: string,
  features: readonly Feature[],
): Promise<LockedPerson> {
  const person = await lockPerson(tx, userId).catch((thrown: unknown) => {
    if (!(thrown instanceof AppError)) throw thrown;
    const message = 'Please select a valid user.';
    throw new AppError('invalid_input', message, { fields: { userId: message } });
  });
  requireCovered(actor, person);
  requireCovered(actor, { role: '', permissions: getFeaturePermissions(features) });
  return person;
}

/**
 * Grants features to a user under a name, in addition to the user's role; effective from the next request.
 * @throws AppError invalid_input for an unknown user, forbidden for more rights than the actor has, conflict for a
 * repeated name, and for a grant that was submitted for approval
 */
export async function createFeatureRole(caller: Actor, input: FeatureRoleInput): Promise<FeatureRoleRow> {
  const create = () => db().transaction((tx) => createFeatureRoleIn(tx, caller, input));
  return withApproval(caller, create, untilApproved).catch((thrown: unknown) => {
    throw toConflictError(thrown);
  });
}

const untilApproved = ['grant', 'the user stays unchanged'] as const;

async function createFeatureRoleIn(
  tx: Executor,
  caller: Actor,
  { name, userId, features }: FeatureRoleInput,
  approval?: Approval,
): Promise<FeatureRoleRow> {
  const actor = await lockRights(tx, caller, 'ManageRoles');
  const person = await requireHolder(tx, actor, userId, features);
  await requireFeaturesAllowed(tx, { id: null, person, name, features, approval });
  const id = newId();
  await tx.insert(featureRoles).values({
    id,
    name,
    userId: person.id,
    features,
    permissions: getFeaturePermissions(features),
    grantedAt: sql`now()`,
  });
  await recordController(tx, getGranter(actor, approval), person.id);
  const details = `${person.email} was given the role “${name}” with ${features.join(', ') || 'no features'}.`;
  await recordAudit(tx, actor, {
    action: 'feature_role.created',
    details,
    entityType: 'feature_role',
    entityId: id,
    after: { name, userId: person.id, features },
  });
  await queueAdminNotice(tx, actor, { subject: 'The permissions of a user changed', text: details });
  return requireFeatureRole(id, tx);
}

type FeatureGrant = {
  /** The feature role to update; null for a new one. */
  id: string | null;
  person: LockedPerson;
  name: string;
  features: Feature[];
  version?: number | undefined;
  approval: Approval | undefined;
};

/** @throws ApprovalRequired for more rights than the user has, while rights of staff need approval */
async function requireFeaturesAllowed(tx: Executor, grant: FeatureGrant): Promise<void> {
  const { id, person, name, features, version, approval } = grant;
  await requireGrantAllowed(tx, {
    held: person,
    rights: { role: '', permissions: getFeaturePermissions(features) },
    payload: { change: 'features', id, userId: person.id, name, features, ...(version && { version }) },
    subject: `rights:${person.id}`,
    summary: `Give ${person.email} the role “${name}” with ${features.join(', ')}.`,
    beneficiaryId: person.id,
    approval,
  });
}

/** Stores a feature role in the transaction of its approval. @throws AppError as `updateFeatureRole` */
export async function saveApprovedFeatureRole(
  tx: Executor,
  actor: Actor,
  {
    id,
    features,
    ...input
  }: Omit<FeatureRoleInput, 'features'> & { id: string | null; features: string[]; version?: number | undefined },
  approval: Approval,
): Promise<void> {
  const requested = { ...input, features: features.filter(isFeature) };
  if (id === null) await createFeatureRoleIn(tx, actor, requested, approval);
  else await updateFeatureRoleIn(tx, actor, id, requested, approval);
}

const sqlError = z.object({ cause: z.object({ constraint_name: z.literal('feature_roles_user_name_key') }) });

/**
 * Converts a violation of the unique index (name per user, ignoring case) to a conflict; returns other errors
 * unchanged.
 */
function toConflictError(thrown: unknown): unknown {
  if (!sqlError.safeParse(thrown).success) return thrown;
  const message = 'This user already has a role with this name. Edit that one, or choose another name.';
  return new AppError('conflict', message, { fields: { name: message } });
}

/**
 * Updates a record's name, features or user; omitted fields stay unchanged.
 * @throws AppError not_found, conflict for a stale `version` or a repeated name, and as `createFeatureRole`, for both
 * the previous and the new user and features
 */
export async function updateFeatureRole(
  caller: Actor,
  id: string,
  input: UpdateFeatureRoleInput,
): Promise<FeatureRoleRow> {
  const update = () => db().transaction((tx) => updateFeatureRoleIn(tx, caller, id, input));
  return withApproval(caller, update, untilApproved).catch((thrown: unknown) => {
    throw toConflictError(thrown);
  });
}

async function updateFeatureRoleIn(
  tx: Executor,
  caller: Actor,
  id: string,
  { version, ...requested }: UpdateFeatureRoleInput,
  approval?: Approval,
): Promise<FeatureRoleRow> {
  const actor = await lockRights(tx, caller, 'ManageRoles');
  const before = await requireFeatureRole(id, tx);
  requireVersion(before, version, `“${before.name}”`);
  const held = before.features.filter(isFeature);
  const { name = before.name, userId = before.userId, features = held } = requested;
  await requireHolder(tx, actor, before.userId, held);
  const person = await requireHolder(tx, actor, userId, features);
  await requireFeaturesAllowed(tx, { id, person, name, features, version, approval });
  const givesRights = person.id !== before.userId || features.some((feature) => !held.includes(feature));
  await tx
    .update(featureRoles)
    .set({
      name,
      userId: person.id,
      features,
      permissions: getFeaturePermissions(features),
      ...(givesRights && { grantedAt: sql`now()` }),
      version: before.version + 1,
    })
    .where(eq(featureRoles.id, id));
  if (givesRights) await recordController(tx, getGranter(actor, approval), person.id);
  const details = `${person.email} has the role “${name}” with ${features.join(', ') || 'no features'}.`;
  await recordAudit(tx, actor, {
    action: 'feature_role.updated',
    details,
    entityType: 'feature_role',
    entityId: id,
    before: { name: before.name, userId: before.userId, features: before.features },
    after: { name, userId: person.id, features },
  });
  await queueAdminNotice(tx, actor, { subject: 'The permissions of a user changed', text: details });
  return requireFeatureRole(id, tx);
}

/**
 * Revokes a record's features from its user; the user's role stays.
 * @throws AppError not_found, forbidden when the user or the features have more rights than the actor
 */
export async function deleteFeatureRole(caller: Actor, id: string): Promise<void> {
  await db().transaction(async (tx) => {
    const actor = await lockRights(tx, caller, 'ManageRoles');
    const { name, userId, features } = await requireFeatureRole(id, tx);
    const person = await requireHolder(tx, actor, userId, features.filter(isFeature));
    await tx.delete(featureRoles).where(eq(featureRoles.id, id));
    const details = `${person.email} no longer has the role “${name}”.`;
    await recordAudit(tx, actor, {
      action: 'feature_role.deleted',
      details,
      entityType: 'feature_role',
      entityId: id,
      before: { name, userId, features },
    });
    await queueAdminNotice(tx, actor, { subject: 'The permissions of a user changed', text: details });
  });
}
