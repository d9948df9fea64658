import { z } from 'zod';
import { documentSeries } from '@/db/schema/invoices';
import { idCursorField, pageQuery } from '@/lib/platform/http/fields';

/** The formats of documents, as the ends of their file names. */
export const documentFormats = ['pdf', 'ubl.xml', 'facturx.pdf'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

/** The path of a document in a format. */
export const documentPath = (number: string, format: DocumentFormat): string => `/api/invoices/${number}.${format}`;

export const documentParams = z.object({
  file: z
    .string()
    .max(64)
    .describe(
      'The number of the document and its format: .pdf, .ubl.xml (UBL 2.1) or .facturx.pdf (PDF/A-3 with the XML in it).',
    ),
});

/** A month in UTC, as YYYY-MM. PostgreSQL has no year 0. */
const monthField = z.string().regex(/^(?!0000)\d{4}-(0[1-9]|1[0-2])$/, 'Enter the month as YYYY-MM.');

export const documentsQuery = pageQuery(100, 1000).extend({
  month: monthField.optional().describe('The month of issue in UTC, as YYYY-MM; without it, all months.'),
  cursor: idCursorField,
});

const toMonth = (at: Date): string => at.toISOString().slice(0, 7);

export const monthDocumentsQuery = z.object({
  month: monthField
    .refine((month) => month <= toMonth(new Date()), 'Choose a month that has begun.')
    .describe('The month of issue in UTC, as YYYY-MM.'),
  format: z
    .enum(['zip', 'csv'])
    .default('zip')
    .describe('`zip` has all documents as PDF, their XML and the summary; `csv` is the summary alone.'),
});

/** The path of the documents of a month. */
export const monthPath = (month: string, format: 'zip' | 'csv'): string =>
  `/api/user/documents?month=${month}${format === 'csv' ? '&format=csv' : ''}`;

const path = z.string().describe('The path of the file.');

/** A document of a buyer. Amounts in USD cents, not negative; those of a credit note are returned to the wallet. */
export const documentResponse = z.object({
  number: z.string(),
  kind: z.enum(documentSeries),
  issuedAt: z.iso.datetime(),
  orderId: z.int().nullable().describe('null for a receipt, and after the order was deleted.'),
  netCents: z.int(),
  taxCents: z.int(),
  totalCents: z.int(),
  links: z.object({
    pdf: path,
    ublXml: path.nullable().describe('null for a receipt.'),
    facturxPdf: path.nullable().describe('null for a receipt.'),
  }),
});
export type DocumentView = z.output<typeof documentResponse>;
