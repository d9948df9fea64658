import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { db } from '../../db/client';
import { roles, users } from '../../db/schema/users';
import { hasSecondFactor } from './two-step';

/** A role, how many active people have it, and how many of these have a second factor. */
export type RolePeople = { name: string; people: number; withFactor: number };

/** Every role with its people, the built-in ones first. */
export function countRolePeople(): Promise<RolePeople[]> {
  return db()
    .select({
      name: roles.name,
      people: sql<number>`count(${users.id})::int`,
      withFactor: sql<number>`(count(${users.id}) filter (where ${hasSecondFactor}))::int`,
    })
    .from(roles)
    .leftJoin(users, and(eq(users.role, roles.name), eq(users.status, 'Active'), isNull(users.deletedAt)))
    .groupBy(roles.name)
    .orderBy(desc(roles.isBuiltIn), roles.name);
}
