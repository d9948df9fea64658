import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { db } from '@/db/client';
import { backups } from '@/db/schema/backups';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { recordAudit } from '@/lib/platform/audit/record';
import { safeFileName } from '@/lib/platform/storage/safe-file-name';
import { spool } from '@/lib/platform/storage/spool';
import { backupKey } from '@/lib/platform/storage/storage-key';
import { backupStore } from '@/lib/platform/storage/store';
import { authenticateArchive } from './encryption';
import { readArchive } from './read-archive';
import { maxArchiveBytes } from './schemas';

/**
 * Adds an uploaded archive to the list. The archive must come from an installation with the same SECRET_KEYS. Each chunk
 * is authenticated as it arrives, so that a foreign file is rejected at its first bytes. Then the whole archive is
 * verified; a damaged or modified one is not stored.
 * @throws AppError too_large, invalid_input
 */
export async function receiveBackup(actor: Actor, file: Readable, name: string): Promise<{ id: string }> {
  return spool(
    Readable.from(authenticateArchive(file), { objectMode: false }),
    maxArchiveBytes,
    async ({ path, sizeBytes, sha256 }) => {
      const manifest = await readArchive(createReadStream(path));
      const id = newId();
      const fileName = safeFileName(name);
      await backupStore().put(backupKey(id), { stream: createReadStream(path), sizeBytes, sha256 });
      await db().transaction(async (tx) => {
        await tx.insert(backups).values({
          id,
          fileName,
          status: 'complete',
          origin: 'uploaded',
          withFiles: manifest.withFiles,
          progress: 100,
          sizeBytes,
          sha256,
          manifest,
          createdBy: actor.email,
          finishedAt: new Date(),
        });
        await recordAudit(tx, actor, {
          action: 'backup.uploaded',
          details: `${actor.email} uploaded the backup ${fileName}, created ${manifest.madeAt} at ${manifest.madeBy}.`,
          entityType: 'backup',
          entityId: id,
          after: { fileName, sizeBytes, sha256 },
        });
      });
      return { id };
    },
  );
}
