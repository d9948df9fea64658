import { and, asc, count, desc, eq, getTableColumns, ilike, isNull, or, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { licenses } from '@/db/schema/licenses';
import { packages } from '@/db/schema/packages';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { computeChanges, recordAudit } from '@/lib/platform/audit/record';
import type { Page } from '@/lib/platform/http/fields';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import {
  type CreateLicenseInput,
  type LicenseFilter,
  type LicenseRow,
  type LicenseSortKey,
  maskKey,
  type UpdateLicenseInput,
} from './contract';

const columns = {
  ...getTableColumns(licenses),
  packageName: packages.name,
  userName: users.name,
  userEmail: users.email,
};

const sortColumns = { added: licenses.id, name: licenses.name, status: licenses.status } as const;

type ListLicensesQuery = LicenseFilter & {
  sort?: { key: LicenseSortKey; order: 'asc' | 'desc' };
  limit: number;
  offset: number;
};

/** Lists every license, newest first unless sorted. `q` searches the name, key, package, and user. */
export async function listLicenses({ sort, limit, offset, ...filter }: ListLicensesQuery): Promise<Page<LicenseRow>> {
  const where = condition(filter);
  const { key, order } = sort ?? { key: 'added', order: 'desc' };
  const direction = order === 'asc' ? asc : desc;
  const [rows, [counted]] = await Promise.all([
    db()
      .select(columns)
      .from(licenses)
      .leftJoin(packages, eq(packages.id, licenses.packageId))
      .leftJoin(users, eq(users.id, licenses.userId))
      .where(where)
      .orderBy(direction(sortColumns[key]), desc(licenses.id))
      .limit(limit)
      .offset(offset),
    db()
      .select({ total: count() })
      .from(licenses)
      .leftJoin(packages, eq(packages.id, licenses.packageId))
      .leftJoin(users, eq(users.id, licenses.userId))
      .where(where),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

function condition({ q, status }: LicenseFilter): SQL | undefined {
  const pattern = q && `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  return and(
    status && eq(licenses.status, status),
    pattern
      ? or(...[licenses.name, licenses.key, packages.name, users.name, users.email].map((one) => ilike(one, pattern)))
      : undefined,
  );
}

/** Returns a license. @throws AppError not_found */
export async function getLicense(id: number, executor: Executor = db()): Promise<LicenseRow> {
  const [found] = await executor
    .select(columns)
    .from(licenses)
    .leftJoin(packages, eq(packages.id, licenses.packageId))
    .leftJoin(users, eq(users.id, licenses.userId))
    .where(eq(licenses.id, id));
  if (!found) throw licenseNotFoundError(id);
  return found;
}

const sqlError = z.object({ cause: z.object({ constraint_name: z.literal('licenses_key_key') }) });

function licenseNotFoundError(id: number): AppError {
  return new AppError('not_found', `License #${id} does not exist or was deleted.`);
}

/** Converts a violation of the unique key to a conflict error and rethrows any other error. */
function rethrowDuplicateKey(thrown: unknown): never {
  if (!sqlError.safeParse(thrown).success) throw thrown;
  const message = 'Another license already has this key.';
  throw new AppError('conflict', message, { fields: { key: message } });
}

/**
 * Creates a license, active by default. The audit log contains only the last characters of its key.
 * @throws AppError conflict for a key that exists, invalid_input for a package or user that does not exist
 */
export async function createLicense(actor: Actor, input: CreateLicenseInput): Promise<LicenseRow> {
  const adding = db().transaction(async (tx) => {
    await requireReferences(tx, input);
    const [added] = await tx.insert(licenses).values(input).returning();
    if (!added) throw new Error('The license was not inserted.');
    const { id, name, key, status, packageId, userId } = added;
    await recordAudit(tx, actor, {
      action: 'license.created',
      details: `License #${id} ${name} (${maskKey(key)}) was added.`,
      entityType: 'license',
      entityId: id,
      after: { name, key: maskKey(key), status, packageId, userId },
    });
    return getLicense(id, tx);
  });
  return adding.catch(rethrowDuplicateKey);
}

/**
 * Requires that the license's package and user exist. Null and undefined mean none.
 * @throws AppError invalid_input that names the field
 */
async function requireReferences(
  tx: Executor,
  { packageId, userId }: { packageId?: number | null; userId?: string | null },
): Promise<void> {
  if (packageId) {
    const isThere = and(eq(packages.id, packageId), isNull(packages.deletedAt));
    const [found] = await tx.select({ id: packages.id }).from(packages).where(isThere);
    if (!found) throw missingReferenceError('packageId', 'This package no longer exists. Choose another one.');
  }
  if (userId) {
    const isThere = and(eq(users.id, userId), isNull(users.deletedAt));
    const [found] = await tx.select({ id: users.id }).from(users).where(isThere);
    if (!found) throw missingReferenceError('userId', 'This user no longer exists. Choose another one.');
  }
}

function missingReferenceError(field: string, message: string): AppError {
  return new AppError('invalid_input', message, { fields: { [field]: message } });
}

type Stored = typeof licenses.$inferSelect;

/**
 * Updates a license. Absent fields keep their value.
 * @throws AppError not_found, conflict for a stale `version` or a key that exists, invalid_input for a new package or user
 * that does not exist
 */
export async function updateLicense(
  actor: Actor,
  id: number,
  { version, changes }: UpdateLicenseInput,
): Promise<LicenseRow> {
  const saving = db().transaction(async (tx) => {
    const [known] = await tx.select().from(licenses).where(eq(licenses.id, id)).for('no key update');
    if (!known) throw licenseNotFoundError(id);
    requireVersion(known, version, `License #${id}`);
    const { fields, before, after } = computeChanges<Stored>(known, changes);
    if (fields.length > 0) {
      // Only checks new values, because a license may refer to a package or user deleted since.
      await requireReferences(tx, after);
      await tx
        .update(licenses)
        .set({ ...after, version: known.version + 1 })
        .where(eq(licenses.id, id));
      await recordAudit(tx, actor, {
        action: 'license.updated',
        details: `License #${id} ${after.name ?? known.name} was changed (${fields.join(', ')})${describeStatus(after.status)}.`,
        entityType: 'license',
        entityId: id,
        before: withMaskedKey(before),
        after: withMaskedKey(after),
      });
    }
    return getLicense(id, tx);
  });
  return saving.catch(rethrowDuplicateKey);
}

const describeStatus = (status: Stored['status'] | undefined) => (status ? `; it is now ${status}` : '');

const withMaskedKey = (values: Partial<Stored>) =>
  values.key === undefined ? values : { ...values, key: maskKey(values.key) };

/**
 * Deletes a license permanently. Its key can be used again.
 * @throws AppError not_found
 */
export async function deleteLicense(actor: Actor, id: number): Promise<void> {
  await db().transaction(async (tx) => {
    const [gone] = await tx.delete(licenses).where(eq(licenses.id, id)).returning();
    if (!gone) throw licenseNotFoundError(id);
    const { name, key, status, packageId, userId } = gone;
    await recordAudit(tx, actor, {
      action: 'license.deleted',
      details: `License #${id} ${name} (${maskKey(key)}) was deleted.`,
      entityType: 'license',
      entityId: id,
      before: { name, key: maskKey(key), status, packageId, userId },
    });
  });
}
