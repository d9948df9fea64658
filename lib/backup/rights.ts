import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import type { Actor } from '@/lib/access/actor';
import { getEffectivePermissions, grantedPermissions } from '@/lib/access/authorize';
import { covers, hasAllPermissions, isAdminRole, isPermission, type Permission } from '@/lib/access/permissions';
import { AppError } from '@/lib/errors';

const rows = z.array(
  z.object({
    id: z.string(),
    email: z.string(),
    role: z.string(),
    permissions: z.array(z.string()),
    sign_in: z.string(),
  }),
);

type Person = { id: string; email: string; role: string; may: readonly Permission[]; signIn: string };

/** Lists the users who can sign in, with their effective permissions and a checksum of their credentials. */
export async function listRights(tx: Executor): Promise<Person[]> {
  const people = rows.parse(
    await tx.execute(sql`
      select users.id, users.email, users.role, ${grantedPermissions} as permissions,
        md5(row(lower(users.email), users.password_hash, users.totp_secret, users.totp_enabled_at, (
          select string_agg(p.credential_id || p.public_key, ',' order by p.id) from passkeys p where p.user_id = users.id
        ))::text) as sign_in
      from users where users.status = 'Active' and users.deleted_at is null`),
  );
  return people.map(({ permissions, sign_in: signIn, ...person }) => ({
    ...person,
    signIn,
    may: getEffectivePermissions({ role: person.role, permissions: permissions.filter(isPermission) }),
  }));
}

/**
 * Requires that a restore grants no user more rights than the actor has (permissions revoked since the backup may be
 * restored), and that it does not change the account, rights or credentials of a user with more rights than the actor.
 * @param before the users before the restore
 * @throws AppError forbidden that names an affected user
 */
export function requireWithinRights(actor: Actor, before: readonly Person[], after: readonly Person[]): void {
  if (hasAllPermissions(actor)) return;
  requireNoneRaised(actor, before, after);
  const own = { role: actor.role, permissions: getEffectivePermissions(actor) };
  const restored = new Map(after.map((person) => [person.id, person]));
  const changed = before.find(({ id, role, may, signIn }) => {
    if (covers(own, { role, permissions: may })) return false;
    const then = restored.get(id);
    return then?.role !== role || then.signIn !== signIn || may.some((permission) => !then.may.includes(permission));
  });
  if (!changed) return;
  throw new AppError(
    'forbidden',
    `This backup would change the account of ${changed.email}, who has more permissions than you. Ask an admin to restore it.`,
  );
}

function requireNoneRaised(actor: Actor, before: readonly Person[], after: readonly Person[]): void {
  const had = new Map(before.map(({ id, may }) => [id, may]));
  const own = getEffectivePermissions(actor);
  const raised = after.find(({ id, role, may }) => {
    const wasAdmin = before.some((person) => person.id === id && isAdminRole(person.role));
    if (isAdminRole(role) && !wasAdmin) return true;
    return may.some((permission) => !own.includes(permission) && !had.get(id)?.includes(permission));
  });
  if (!raised) return;
  throw new AppError(
    'forbidden',
    `This backup would give ${raised.email} the role ${raised.role}, with more permissions than your own. Ask an admin to restore it.`,
  );
}
