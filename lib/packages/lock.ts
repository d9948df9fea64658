import { and, eq, isNull } from 'drizzle-orm';
import type { Executor } from '../../db/client';
import { packages } from '../../db/schema/packages';
import { packageNotFound } from './queries';
import type { PackageRow } from './views';

/**
 * Locks a package for a change.
 * @throws AppError not_found, also for one that is deleted
 */
export async function lockPackage(tx: Executor, id: number): Promise<PackageRow> {
  const [found] = await tx
    .select()
    .from(packages)
    .where(and(eq(packages.id, id), isNull(packages.deletedAt)))
    .for('no key update');
  if (!found) throw packageNotFound(id);
  return found;
}
