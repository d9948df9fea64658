import { and, eq, isNull } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { licenses } from '@/db/schema/licenses';
import { packages } from '@/db/schema/packages';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { getLicense, rethrowDuplicateKey } from './queries';
import type { CreateLicenseInput } from './schemas';
import { type LicenseRow, maskKey } from './views';

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
export async function requireReferences(
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
