import { and, eq, isNull, sql } from 'drizzle-orm';
import { db, type Executor } from '../../db/client';
import { featureRoles } from '../../db/schema/feature-roles';
import { users } from '../../db/schema/users';
import { AppError } from '../errors';
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

/** Every record, by its name and then by whose it is. */
export async function listFeatureRoles(): Promise<FeatureRoleRow[]> {
  return db()
    .select(columns)
    .from(featureRoles)
    .innerJoin(users, eq(users.id, featureRoles.userId))
    .where(isNull(users.deletedAt))
    .orderBy(sql`lower(${featureRoles.name}), lower(${users.email})`);
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
