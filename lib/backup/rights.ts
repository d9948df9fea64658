import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '../../db/client';
import { effectivePermissions } from '../acl/effective-permissions';
import { grantedPermissions } from '../acl/granted-permissions';
import { isAdminRole, isPermission, type Permission } from '../acl/permissions';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';

const rows = z.array(
  z.object({ id: z.string(), email: z.string(), role: z.string(), permissions: z.array(z.string()) }),
);

type Person = { id: string; email: string; role: string; may: readonly Permission[] };

/** Everybody who can sign in, with what they may do. */
export async function listRights(tx: Executor): Promise<Person[]> {
  const people = rows.parse(
    await tx.execute(sql`
      select users.id, users.email, users.role, ${grantedPermissions} as permissions
      from users where users.status = 'Active' and users.deleted_at is null`),
  );
  return people.map(({ permissions, ...person }) => ({
    ...person,
    may: effectivePermissions({ role: person.role, permissions: permissions.filter(isPermission) }),
  }));
}

/**
 * A restore may give back what was taken meanwhile, but nobody more than its actor has (decision 21).
 * @param before who could do what before it
 * @throws AppError forbidden that names somebody who would get more
 */
export function requireNobodyRaised(actor: Actor, before: readonly Person[], after: readonly Person[]): void {
  if (isAdminRole(actor.role)) return;
  const had = new Map(before.map(({ id, may }) => [id, may]));
  const own = effectivePermissions(actor);
  const raised = after.find(({ id, role, may }) => {
    const wasAdmin = before.some((person) => person.id === id && isAdminRole(person.role));
    if (isAdminRole(role) && !wasAdmin) return true;
    return may.some((permission) => !own.includes(permission) && !had.get(id)?.includes(permission));
  });
  if (!raised) return;
  throw new AppError(
    'forbidden',
    `This backup would make ${raised.email} ${raised.role}, with more rights than your own. Ask an admin to restore it.`,
  );
}
