import { type DocumentSeries, documentSeries } from '@/db/schema/invoices';

/** The first letters of the numbers of a series. */
const numberPrefixes: Record<DocumentSeries, string> = { invoice: 'INV', credit_note: 'CN', receipt: 'RC' };

/** Returns the number of an invoice, credit note or receipt: "INV-2026-000012". */
export const documentNumber = ({
  kind,
  year,
  number,
}: {
  kind: DocumentSeries;
  year: number;
  number: number;
}): string => `${numberPrefixes[kind]}-${year}-${String(number).padStart(6, '0')}`;

/** Returns the number of a receipt: "RC-2026-000012". */
export const receiptNumber = (row: { year: number; number: number }): string =>
  documentNumber({ kind: 'receipt', ...row });

/** A document by its number; `self_billed` is a statement of a seller. */
export type DocumentName = { kind: DocumentSeries | 'self_billed'; year: number; number: number };

const kinds = new Map<string, DocumentName['kind']>([
  ...documentSeries.map((kind) => [numberPrefixes[kind], kind] as const),
  ['SB', 'self_billed'],
]);

/** Parses the number of a document; null for another text. */
export function parseDocumentNumber(text: string): DocumentName | null {
  const [, prefix = '', year, number] = /^(INV|CN|RC|SB)-(\d{4})-(\d{6,9})$/.exec(text) ?? [];
  const kind = kinds.get(prefix);
  return kind ? { kind, year: Number(year), number: Number(number) } : null;
}
