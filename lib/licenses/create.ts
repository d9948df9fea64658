import { db } from '../../db/client';
import { licenses } from '../../db/schema/licenses';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import { tellTakenKey } from './license-errors';
import { maskKey } from './mask-key';
import { getLicense } from './queries';
import { requireLinks } from './require-links';
import type { CreateLicenseInput } from './schemas';
import type { LicenseRow } from './views';

/**
 * Adds a license, active unless said otherwise. The audit log knows its key by the last characters only.
 * @throws AppError conflict for a key that another one has, invalid_input for a package or person that is not there
 */
export async function createLicense(actor: Actor, input: CreateLicenseInput): Promise<LicenseRow> {
  const adding = db().transaction(async (tx) => {
    await requireLinks(tx, input);
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
  return adding.catch(tellTakenKey);
}
