import { and, eq, isNull } from 'drizzle-orm';
import { db, type Executor } from '@/db/client';
import { packages } from '@/db/schema/packages';
import type { Actor } from '@/lib/access/actor';
import { computeChanges, recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { requireSellable } from './create';
import { packageNotFoundError } from './queries';
import type { UpdatePackageInput } from './schemas';
import type { PackageRow } from './views';

/**
 * Updates a package. Absent fields keep their value. Removing the price also takes the package off sale. Existing orders
 * keep their name and price.
 * @throws AppError not_found, conflict for a stale `version`, invalid_input if the package cannot be on sale
 */
export async function updatePackage(
  actor: Actor,
  id: number,
  { version, changes }: UpdatePackageInput,
): Promise<PackageRow> {
  return db().transaction(async (tx) => {
    const known = await lockPackage(tx, id);
    requireVersion(known, version, `Package #${id}`);
    const losesPrice = changes.priceCents === 0 && changes.isOnSale === undefined;
    const { fields, before, after } = computeChanges<PackageRow>(known, {
      ...changes,
      ...(losesPrice && { isOnSale: false }),
    });
    if (fields.length === 0) return known;
    const wanted = { ...known, ...after };
    if (wanted.isOnSale) await requireSellable(tx, wanted);
    const [saved] = await tx
      .update(packages)
      .set({ ...after, version: known.version + 1 })
      .where(eq(packages.id, id))
      .returning();
    if (!saved) throw new Error('The package was not updated.');
    await recordAudit(tx, actor, {
      action: 'package.updated',
      details: `Package #${id} ${saved.name} was changed (${fields.join(', ')}).`,
      entityType: 'package',
      entityId: id,
      before,
      after,
    });
    return saved;
  });
}

/**
 * Locks a package for an update.
 * @throws AppError not_found, also for a deleted package
 */
export async function lockPackage(tx: Executor, id: number): Promise<PackageRow> {
  const [found] = await tx
    .select()
    .from(packages)
    .where(and(eq(packages.id, id), isNull(packages.deletedAt)))
    .for('no key update');
  if (!found) throw packageNotFoundError(id);
  return found;
}
