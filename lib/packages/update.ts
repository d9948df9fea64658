import { eq } from 'drizzle-orm';
import { db } from '../../db/client';
import { packages } from '../../db/schema/packages';
import { changesBetween } from '../audit/changes-between';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { AppError } from '../errors';
import { lockPackage } from './lock';
import { requireSellable } from './require-sellable';
import type { UpdatePackageInput } from './schemas';
import type { PackageRow } from './views';

/**
 * Edits a package; what is left out stays. Whoever takes its price away takes it off sale with that. Orders that were
 * placed keep the name and price they were placed with.
 * @throws AppError not_found, conflict for a stale `version`, invalid_input when it shall be on sale and cannot be
 */
export async function updatePackage(
  actor: Actor,
  id: number,
  { version, changes }: UpdatePackageInput,
): Promise<PackageRow> {
  return db().transaction(async (tx) => {
    const known = await lockPackage(tx, id);
    if (version !== undefined && version !== known.version) {
      throw new AppError(
        'conflict',
        `Package #${id} was changed by somebody else in the meantime. Compare their changes with yours and save again.`,
      );
    }
    const losesPrice = changes.priceCents === 0 && changes.isOnSale === undefined;
    const { fields, before, after } = changesBetween<PackageRow>(known, {
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
