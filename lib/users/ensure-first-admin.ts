import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { advisoryLock } from '@/db/advisory-locks';
import { db } from '@/db/client';
import { users } from '@/db/schema/users';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { hashPassword, isGuessable } from '@/lib/auth/password';
import { newId } from '@/lib/ids';
import { recordAudit } from '@/lib/platform/audit/record';

/**
 * Creates the first admin of a new installation; does nothing when an admin exists.
 * @throws Error as `createAdmin`
 */
export async function ensureFirstAdmin(email: string, password: string): Promise<'created' | 'exists'> {
  return insertAdmin(email, password, isAdmin);
}

/**
 * Creates an admin for the operator, independent of all others: no user controls the account. Does nothing when an admin
 * has the address.
 * @throws Error when the email belongs to another account, or the password is easy to guess. The operator must resolve
 * both.
 */
export async function createAdmin(email: string, password: string): Promise<'created' | 'exists'> {
  return insertAdmin(email, password, and(isAdmin, hasEmail(email)));
}

const isAdmin = and(sql`lower(${users.role}) = 'admin'`, isNull(users.deletedAt));
const hasEmail = (email: string) => eq(sql`lower(${users.email})`, email.toLowerCase());

/** @param existing the condition for an admin with whom nothing is done */
async function insertAdmin(email: string, password: string, existing: SQL | undefined): Promise<'created' | 'exists'> {
  const passwordHash = await hashPassword(password);
  return db().transaction(async (tx) => {
    // Several instances may start at the same time.
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLock('first-admin')})`);
    const [admin] = await tx.select({ id: users.id }).from(users).where(existing).limit(1);
    if (admin) return 'exists';
    if (isGuessable(password, [email])) {
      throw new Error('ADMIN_PASSWORD is easy to guess; use a longer one, or several unrelated words.');
    }
    const [taken] = await tx.select({ id: users.id }).from(users).where(hasEmail(email));
    if (taken) throw new Error(`ADMIN_EMAIL ${email} belongs to an account that is not an admin; choose another one.`);
    const id = newId();
    await tx.insert(users).values({
      id,
      email,
      name: 'Admin',
      passwordHash,
      status: 'Active',
      role: 'Admin',
      emailVerifiedAt: new Date(),
    });
    await recordAudit(tx, systemActor(systemActors.startUp, 'script'), {
      action: 'user.created',
      details: `The admin ${email} was created from ADMIN_EMAIL.`,
      entityType: 'user',
      entityId: id,
    });
    return 'created';
  });
}
