import { eq, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { packages } from '@/db/schema/packages';
import type { Actor } from '@/lib/access/actor';
import { recordAudit } from '@/lib/platform/audit/record';
import { lockPackage } from './update';

/**
 * Deletes a package. Existing orders of it are unchanged.
 * @throws AppError not_found, also for a package that is already deleted
 */
export async function deletePackage(actor: Actor, id: number): Promise<void> {
  await db().transaction(async (tx) => {
    const { name } = await lockPackage(tx, id);
    await tx.update(packages).set({ deletedAt: sql`now()`, isOnSale: false }).where(eq(packages.id, id));
    await recordAudit(tx, actor, {
      action: 'package.deleted',
      details: `Package #${id} ${name} was deleted.`,
      entityType: 'package',
      entityId: id,
      before: { name },
    });
  });
}
