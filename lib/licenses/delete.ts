import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { licenses } from '@/db/schema/licenses';
import type { Actor } from '@/lib/access/actor';
import { recordAudit } from '@/lib/platform/audit/record';
import { licenseNotFoundError } from './queries';
import { maskKey } from './views';

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
