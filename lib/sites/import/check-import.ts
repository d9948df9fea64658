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
 * Previews an import without inserting sites: the same parsing and the same copy into a temporary table, then a count
 * instead of the insert. If the header names no URL column, `columns` lists the columns so that the user can choose one.
 * Waits for an import slot, because it also holds a connection.
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

/** Labels of the fields in the column mapping, in display order. */
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

/** Lists the fields that a file of this audience can set. */
function importFields(audience: ImportAudience): { field: string; label: string }[] {
  const closed: readonly string[] = audience === 'seller' ? staffFields : [];
  return Object.entries(labels).flatMap(([field, label]) => (closed.includes(field) ? [] : [{ field, label }]));
}
