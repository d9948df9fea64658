import { and, eq, inArray, isNull, ne, notExists, or, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { mailOptOuts } from '../../db/schema/mail-opt-outs';
import { rolePermissions, roles, users } from '../../db/schema/users';
import type { Permission } from '../access/permissions';
import { mailsTurnedOff } from './choices';
import type { MailKind } from './kinds';

/** Somebody who may be written to: the address, and which kinds they do not want. */
export type MailReader = { email: string; off: ReadonlySet<MailKind> };

/** @returns null for a person who was deleted; who may not sign in at the moment still learns of their money */
export async function findMailReader(tx: Executor, userId: string): Promise<MailReader | null> {
  const [person] = await tx
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)));
  return person ? { email: person.email, off: await mailsTurnedOff(userId, tx) } : null;
}

/**
 * Active staff who work with a permission: admins, and roles that may enter the admin area and hold it (decision 3).
 * A condition on `users`.
 */
export function staffWith(executor: Executor, permission: Permission): SQL | undefined {
  const granted = executor
    .select({ name: rolePermissions.roleName })
    .from(rolePermissions)
    .where(inArray(rolePermissions.permission, ['AdminDashboard', permission]))
    .groupBy(rolePermissions.roleName)
    .having(sql`count(*) = 2`);
  const staff = executor
    .select({ name: roles.name })
    .from(roles)
    .where(or(eq(sql`lower(${roles.name})`, 'admin'), inArray(roles.name, granted)));
  return and(inArray(users.role, staff), eq(users.status, 'Active'), isNull(users.deletedAt));
}

/**
 * Selects the addresses of the staff who work with a permission and want this kind of mail.
 * @param exceptId who caused the mail; empty for none
 */
export function selectStaffReaders(
  executor: Executor,
  permission: Permission,
  kind: MailKind,
  exceptId: string | Placeholder,
) {
  const turnedOff = executor
    .select({ one: sql`1` })
    .from(mailOptOuts)
    .where(and(eq(mailOptOuts.userId, users.id), eq(mailOptOuts.kind, kind)));
  return executor
    .select({ email: users.email })
    .from(users)
    .where(and(staffWith(executor, permission), ne(users.id, exceptId), notExists(turnedOff)));
}
