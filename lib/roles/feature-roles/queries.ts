import { and, count, eq, ilike, isNull, or, sql } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { featureRoles } from '@/db/schema/feature-roles';
import { users } from '@/db/schema/users';
import { requireCovered } from '@/lib/access/authorize';
import type { Rights } from '@/lib/access/permissions';
import { AppError } from '@/lib/errors';
import type { Page } from '@/lib/platform/http/fields';
import { type LockedPerson, lockPerson } from '@/lib/users/queries';
import { type Feature, getFeaturePermissions } from './features';
import type { FeatureRoleRow } from './views';

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

/** @throws AppError not_found */
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
export async function requireHolder(
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
