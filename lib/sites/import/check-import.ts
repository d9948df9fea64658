import type { z } from 'zod';
import type { Actor } from '../../access/actor';
import { type ImportField, staffFields } from './header-names';
import { takeImportTurn } from './import-turn';
import type { ImportUpload, importCheckAnswer } from './import-upload';
import { readRowContext } from './known-names';
import type { ImportAudience } from './map-header';
import { receiveCsv } from './receive-csv';
import { countStaged, stageRows } from './stage-rows';
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

/** What the mapping of columns calls each field, in the order it offers them. */
const labels: Record<ImportField, string> = {
  url: 'URL',
  name: 'Name',
  niche: 'Niche',
  postType: 'Post type',
  country: 'Country',
  language: 'Language',
  followType: 'Follow type',
  dr: 'DR',
  da: 'DA',
  authorityScore: 'Authority score',
  spam: 'Spam score',
  traffic: 'Traffic',
  keywordsCount: 'Keywords',
  refDomains: 'Referring domains',
  words: 'Words',
  tat: 'Turnaround',
  sellerPrice: 'Price',
  adminPrice: 'Admin price',
  publicPrice: 'Public price',
  currency: 'Currency',
  status: 'Status',
};

/** The fields a file of this audience can fill. */
function importFields(audience: ImportAudience): { field: string; label: string }[] {
  const closed: readonly string[] = audience === 'seller' ? staffFields : [];
  return Object.entries(labels).flatMap(([field, label]) => (closed.includes(field) ? [] : [{ field, label }]));
}
