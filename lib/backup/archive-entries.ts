/** Names of an archive's entries; the same for writing and reading. */
export const aboutEntry = 'about.json';
export const manifestEntry = 'manifest.json';
export const signatureEntry = 'manifest.sig';

/** A table stands in pieces, so that no one has to know its length beforehand: tables/public.users/000001. */
export const tableEntry = (name: string, piece: number) => `tables/${name}/${String(piece).padStart(6, '0')}`;
export const fileEntry = (key: string) => `files/${key}`;

export type EntryName =
  | { kind: 'table' | 'file'; name: string }
  | { kind: 'about' | 'manifest' | 'signature' | 'other' };

export function readEntryName(entry: string): EntryName {
  if (entry === aboutEntry) return { kind: 'about' };
  if (entry === manifestEntry) return { kind: 'manifest' };
  if (entry === signatureEntry) return { kind: 'signature' };
  const table = /^tables\/([a-z_]+\.[a-z0-9_]+)\/\d{6,}$/.exec(entry)?.[1];
  if (table) return { kind: 'table', name: table };
  const key = /^files\/(orders\/\d{1,10}\/[0-9a-z]{26})$/.exec(entry)?.[1];
  return key ? { kind: 'file', name: key } : { kind: 'other' };
}
