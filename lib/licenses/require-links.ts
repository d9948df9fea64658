import { and, eq, isNull } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { packages } from '../../db/schema/packages';
import { users } from '../../db/schema/users';
import { AppError } from '../errors';

/**
 * What a license is for and whose it is must be there. Null and undefined stand for none.
 * @throws AppError invalid_input that names the field
 */
export async function requireLinks(
  tx: Executor,
  { packageId, userId }: { packageId?: number | null; userId?: string | null },
): Promise<void> {
  if (packageId) {
    const isThere = and(eq(packages.id, packageId), isNull(packages.deletedAt));
    const [found] = await tx.select({ id: packages.id }).from(packages).where(isThere);
    if (!found) throw missing('packageId', 'This package does not exist any more. Choose another one.');
  }
  if (userId) {
    const isThere = and(eq(users.id, userId), isNull(users.deletedAt));
    const [found] = await tx.select({ id: users.id }).from(users).where(isThere);
    if (!found) throw missing('userId', 'This person does not exist any more. Choose another one.');
  }
}

function missing(field: string, message: string): AppError {
  return new AppError('invalid_input', message, { fields: { [field]: message } });
}
