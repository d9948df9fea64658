import { db } from '../../db/client';
import { recordAudit } from '../audit/record';
import type { Actor } from '../auth/actor';
import type { OpenContent } from '../content/open';
import { backupKey } from '../content/storage-key';
import { contentStore } from '../content/store';
import { queueAdminNotice } from '../mail/security-notices';
import { requireComplete } from './queries';

/**
 * An archive, ready to be sent; the audit log tells who took a copy of everything.
 * @throws AppError not_found, conflict while it is not complete
 */
export async function openBackup(actor: Actor, id: string): Promise<OpenContent> {
  const { fileName, sizeBytes } = await requireComplete(id);
  const stream = await contentStore().get(backupKey(id));
  const details = `${actor.email} downloaded the backup ${fileName}.`;
  await db().transaction(async (tx) => {
    await recordAudit(tx, actor, { action: 'backup.downloaded', details, entityType: 'backup', entityId: id });
    await queueAdminNotice(tx, actor, { subject: 'A backup was downloaded', text: details });
  });
  return { fileName, mediaType: 'application/octet-stream', sizeBytes: sizeBytes ?? 0, stream };
}
