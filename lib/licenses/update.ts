import { eq } from 'drizzle-orm';
import { db } from '@/db/client';
import { licenses } from '@/db/schema/licenses';
import type { Actor } from '@/lib/access/actor';
import { computeChanges, recordAudit } from '@/lib/platform/audit/record';
import { requireVersion } from '@/lib/platform/optimistic-lock';
import { requireReferences } from './create';
import { getLicense, licenseNotFoundError, rethrowDuplicateKey } from './queries';
import type { UpdateLicenseInput } from './schemas';
import { type LicenseRow, maskKey } from './views';

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
