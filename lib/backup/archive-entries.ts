/** The last entry of an archive; its name for writing and reading, as those of the others below. */
export const manifestEntry = 'manifest.json';

/** A table stands in pieces, so that its length need not be known beforehand: tables/public.users/000001. */
export const tableEntry = (name: string, piece: number) => `tables/${name}/${String(piece).padStart(6, '0')}`;
export const fileEntry = (key: string) => `files/${key}`;

/** The largest piece of a table, and the largest manifest, that is written and read. */
export const maxPieceBytes = 1_000_000;
export const maxManifestBytes = 1_000_000;

export type EntryName = { kind: 'table' | 'file'; name: string } | { kind: 'manifest' };

/** @returns null for a name that no archive has */
export function readEntryName(entry: string): EntryName | null {
  if (entry === manifestEntry) return { kind: 'manifest' };
  const table = /^tables\/([a-z_]+\.[a-z0-9_]+)\/\d{6,}$/.exec(entry)?.[1];
  if (table) return { kind: 'table', name: table };
  const key = /^files\/(orders\/\d{1,10}\/[0-9a-z]{26})$/.exec(entry)?.[1];
  return key ? { kind: 'file', name: key } : null;
}
