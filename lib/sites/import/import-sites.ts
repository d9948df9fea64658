import { createHash } from 'node:crypto';
import { and, eq, lt, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { siteImports } from '@/db/schema/site-imports';
import type { Transaction } from '@/db/transaction';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { recordAudit } from '@/lib/platform/audit/record';
import { importCancelledError, withImportSlot } from '@/lib/platform/import-slot';
import { safeFileName } from '@/lib/platform/storage/safe-file-name';
import { refreshOwnership } from '@/lib/sites/ownership/refresh';
import { analyzeFile } from './analyze-file';
import { type ImportUpload, type importResponse, maxNamedNiches, receiveCsv } from './import-upload';
import { getRowContext } from './known-names';
import { noChoices } from './map-header';
import { proposeNiches } from './propose-niches';
import { insertStagedRows, provedDomains, stageRows } from './stage-rows';

export type ImportResult = z.output<typeof importResponse>;

/**
 * Imports a CSV file as sites of the actor, all or nothing. The upload is spooled to a temporary file, copied into a
 * temporary table and inserted from there in one transaction with its audit entry; canceling the upload before the
 * response leaves no changes. The file is streamed, never held in memory. Importing the same file again inserts nothing:
 * its sites are duplicates by owner, URL and post type.
 * @param idempotencyKey a repeated request with the same key, file and column choices returns the first result
 * @throws AppError invalid_input for a file that is not CSV, has no usable header or no rows, or was canceled; too_large;
 * conflict if no import slot becomes free in time, or if the key was used for another import
 */
export async function importSites(
  actor: Actor,
  { file, name, audience, choices = noChoices, signal }: ImportUpload,
  idempotencyKey: string | null = null,
): Promise<ImportResult> {
  return receiveCsv(file, name, async ({ path, sha256, sizeBytes }) => {
    const analysis = await analyzeFile(path, audience, { choices });
    const requestHash = hashRequest([sha256, audience, ...[...choices].flat()]);
    return withImportSlot(actor.userId, signal, async (tx) => {
      // Imports of one owner run one at a time, so a concurrent repeat finds the first result here.
      const first =
        idempotencyKey === null ? null : await findStoredResult(tx, actor.userId, idempotencyKey, requestHash);
      if (first) return first;
      const { usable, skipped, errors, niches } = await stageRows(
        tx,
        path,
        await getRowContext(tx, analysis, { audience, userId: actor.userId }),
        signal,
      );
      const { newNiches, replaced } = await proposeNiches(tx, actor, niches);
      const inserted = await insertStagedRows(tx, { ownerId: actor.userId, source: audience, replaced });
      await refreshOwnership(tx, provedDomains);
      const counts = { inserted, duplicates: usable - inserted, skipped };
      await recordAudit(tx, actor, {
        action: 'sites.imported',
        details: `${inserted} sites imported from ${safeFileName(name)}; ${counts.duplicates} duplicates, ${skipped} rows skipped.`,
        entityType: 'site_import',
        entityId: newId(),
        after: { ...counts, sha256, sizeBytes },
      });
      const response: ImportResult = {
        ...counts,
        errors,
        unknownHeaders: analysis.unknownHeaders,
        ...(newNiches.length > 0 && { newNiches: newNiches.slice(0, maxNamedNiches) }),
      };
      if (idempotencyKey !== null) {
        await tx
          .delete(siteImports)
          .where(and(eq(siteImports.userId, actor.userId), lt(siteImports.createdAt, sql`now() - interval '30 days'`)));
        await tx
          .insert(siteImports)
          .values({ id: newId(), userId: actor.userId, idempotencyKey, requestHash, answer: response });
      }
      if (signal?.aborted) throw importCancelledError();
      return response;
    });
  });
}

const hashRequest = (parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

async function findStoredResult(
  tx: Transaction,
  userId: string,
  key: string,
  requestHash: string,
): Promise<ImportResult | null> {
  const [done] = await tx
    .select({ requestHash: siteImports.requestHash, answer: siteImports.answer })
    .from(siteImports)
    .where(and(eq(siteImports.userId, userId), eq(siteImports.idempotencyKey, key)));
  if (!done) return null;
  if (done.requestHash === requestHash) return done.answer;
  throw new AppError('conflict', 'This Idempotency-Key was already used for another file.');
}
