import type { Readable } from 'node:stream';
import { niches } from '../../../db/schema/taxonomy';
import { recordAudit } from '../../audit/record';
import type { Actor } from '../../auth/actor';
import { safeFileName } from '../../content/safe-file-name';
import { spool } from '../../content/spool';
import { AppError } from '../../errors';
import { newId } from '../../ids';
import { getExchangeRates } from '../../settings/exchange-rates';
import { takeImportTurn } from './import-turn';
import { readKnownNames } from './known-names';
import type { ImportAudience } from './map-header';
import { surveyFile } from './survey';
import { type WrittenRows, writeRows } from './write-rows';

/** Decision 18. */
export const maxImportBytes = 50_000_000;

export type ImportResult = Omit<WrittenRows, 'newNiches'> & {
  /** Headers of columns that were not used. */
  unknownHeaders: string[];
};

type Upload = {
  file: Readable;
  /** As the browser sent it. */
  name: string;
  /** Staff's rows follow the file's status and prices; a seller's are Pending, with the seller's own price only. */
  audience: ImportAudience;
  /** Aborted when the caller went away. */
  signal?: AbortSignal;
};

/**
 * Adds the sites of a CSV file to the actor's own (decision 18). All or nothing: the upload is first kept as a temporary
 * file and read through once, then written in batches inside one transaction with its audit line, so an upload that is
 * cancelled, at whatever moment before the answer, leaves nothing. Sent again, the same file inserts nothing twice: its
 * sites are duplicates by owner, URL and post type (decision 16). Memory holds a batch, never the file.
 * @throws AppError invalid_input for what is no CSV, has no usable header or no rows, or was cancelled; too_large;
 * conflict when other imports keep this one waiting too long
 */
export async function importSites(actor: Actor, { file, name, audience, signal }: Upload): Promise<ImportResult> {
  if (!/\.csv$/i.test(name)) {
    file.destroy();
    throw new AppError('invalid_input', 'Choose a .csv file.', { fields: { file: 'Choose a .csv file.' } });
  }
  return spool(file, maxImportBytes, async ({ path, sha256, sizeBytes }) => {
    const survey = await surveyFile(path, audience);
    return takeImportTurn(actor.userId, signal, async (tx) => {
      const context = { survey, audience, known: await readKnownNames(tx), rates: await getExchangeRates(tx) };
      const { newNiches, errors, ...counts } = await writeRows(tx, actor.userId, path, context, signal);
      // Sorted and last, so that two imports never hold each other's niches in a circle or for long.
      const rows = newNiches.toSorted().map((niche) => ({ name: niche }));
      if (rows.length > 0) await tx.insert(niches).values(rows).onConflictDoNothing();
      await recordAudit(tx, actor, {
        action: 'sites.imported',
        details: `${counts.inserted} sites imported from ${safeFileName(name)}; ${counts.duplicates} duplicates, ${counts.skipped} rows skipped.`,
        entityType: 'site_import',
        entityId: newId(),
        after: { ...counts, sha256, sizeBytes },
      });
      return { ...counts, errors, unknownHeaders: survey.unknownHeaders };
    });
  });
}
