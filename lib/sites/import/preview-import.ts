import type { z } from 'zod';
import type { Actor } from '@/lib/access/actor';
import { withImportSlot } from '@/lib/platform/import-slot';
import { analyzeFile, type FileAnalysis } from './analyze-file';
import { type ImportUpload, type importCheckResponse, maxNamedNiches, receiveCsv } from './import-upload';
import { getRowContext } from './known-names';
import { type FileKind, hasField, type ImportField, isField } from './map-header';
import { countStagedRows, stageRows } from './stage-rows';

export type ImportPreview = z.output<typeof importCheckResponse>;

/**
 * Previews an import without inserting sites: the same parsing and the same copy into a temporary table, then a count
 * instead of the insert. If the header names no URL column, `columns` lists the columns so that the user can choose one.
 * Waits for an import slot, because it also holds a connection.
 * @throws AppError as importSites does
 */
export async function previewImport(
  actor: Actor,
  { file, name, audience, choices, signal }: ImportUpload,
): Promise<ImportPreview> {
  return receiveCsv(file, name, async ({ path }) => {
    const analysis = await analyzeFile(path, audience, { ...(choices && { choices }), allowMissingUrl: true });
    const facts = { rows: analysis.rows, unknownHeaders: analysis.unknownHeaders, columns: listColumns(analysis) };
    const fields = listFields(audience);
    if (!analysis.columns.url) return { ...facts, fields, ready: 0, duplicates: 0, skipped: 0, errors: [] };
    return withImportSlot(actor.userId, signal, async (tx) => {
      const context = await getRowContext(tx, analysis, { audience, userId: actor.userId });
      const { usable, skipped, errors } = await stageRows(tx, path, context, signal);
      const { newNiches } = context.known;
      const ready = await countStagedRows(tx, actor.userId);
      return {
        ...facts,
        fields,
        ready,
        duplicates: usable - ready,
        skipped,
        errors,
        ...(newNiches.length > 0 && { newNiches: newNiches.slice(0, maxNamedNiches) }),
      };
    });
  });
}

export function listColumns({ headers, samples, columns }: FileAnalysis): ImportPreview['columns'] {
  const fieldAt = new Map(Object.entries(columns).map(([field, { index }]) => [index, field]));
  return headers.map((header, index) => ({
    index,
    header: header.trim().slice(0, 100),
    sample: samples[index] ?? '',
    field: fieldAt.get(index) ?? null,
  }));
}

/** Labels of the fields in the column mapping, in display order. */
export const fieldLabels: Record<ImportField, string> = {
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
  samplePosts: 'Sample posts',
  rules: 'Rules',
  sellerPrice: 'Price',
  adminPrice: 'Admin price',
  publicPrice: 'Public price',
  currency: 'Currency',
  status: 'Status',
  id: 'ID',
  version: 'Version',
};

/** Lists the fields that a file of a kind can have. */
export function listFields(kind: FileKind): { field: string; label: string }[] {
  return Object.entries(fieldLabels).flatMap(([field, label]) =>
    isField(field) && hasField(kind, field) ? [{ field, label }] : [],
  );
}
