import type { z } from 'zod';
import type { Actor } from '../../auth/actor';
import type { importCheckAnswer } from './answers';
import { importFields } from './field-labels';
import { takeImportTurn } from './import-turn';
import type { ImportUpload } from './import-upload';
import { receiveCsv } from './receive-csv';
import { readRowContext } from './row-context';
import { stageRows } from './stage-rows';
import { countStaged } from './staged-sites';
import { type Survey, surveyFile } from './survey';

export type ImportCheck = z.output<typeof importCheckAnswer>;

/**
 * Tells what an import of this file would do, and does not do it: the same reading, the same copy into a temporary
 * table, and a count instead of the insert. A header that names no URL is told by `columns`, so that somebody can say
 * which column it is. It takes its turn among the imports, because it holds a connection as they do.
 * @throws AppError as importSites does
 */
export async function checkImport(
  actor: Actor,
  { file, name, audience, choices, signal }: ImportUpload,
): Promise<ImportCheck> {
  return receiveCsv(file, name, async ({ path }) => {
    const survey = await surveyFile(path, audience, { ...(choices && { choices }), mayLackUrl: true });
    const facts = { rows: survey.rows, unknownHeaders: survey.unknownHeaders, columns: columnsOf(survey) };
    const fields = importFields(audience);
    if (!survey.columns.url) return { ...facts, fields, ready: 0, duplicates: 0, skipped: 0, errors: [] };
    return takeImportTurn(actor.userId, signal, async (tx) => {
      const { usable, skipped, errors } = await stageRows(tx, path, await readRowContext(tx, survey, audience), signal);
      const ready = await countStaged(tx, actor.userId);
      return { ...facts, fields, ready, duplicates: usable - ready, skipped, errors };
    });
  });
}

function columnsOf({ headers, samples, columns }: Survey): ImportCheck['columns'] {
  const fieldAt = new Map(Object.entries(columns).map(([field, { index }]) => [index, field]));
  return headers.map((header, index) => ({
    index,
    header: header.trim().slice(0, 100),
    sample: samples[index] ?? '',
    field: fieldAt.get(index) ?? null,
  }));
}
