import type { InferSelectModel } from 'drizzle-orm';
import Papa from 'papaparse';
import { z } from 'zod';
import type { packages } from '@/db/schema/packages';
import { currencies, parseMoney } from '@/lib/money';
import { idTextField, nameField, pageQuery } from '@/lib/platform/http/fields';

/** The links of a package as a table, parsed from JSON or CSV. */
type LinkTable = { header: string[] | null; rows: string[][] };

/** The maximum length of the text, which limits the size of pages that show it. */
const maxLinksLength = 20_000;

/** The maximum number of columns. JSON records with different keys would add a column per key. */
const maxColumns = 50;

/**
 * Parses the text of a package's links: CSV (comma, semicolon or tab) or JSON.
 * @returns the table, or an error message
 */
export function parseLinks(text: string): LinkTable | string {
  const written = text.trim();
  if (written === '') return { header: null, rows: [] };
  return /^[[{]/.test(written) ? parseJsonLinks(written) : parseCsvLinks(written);
}

function parseJsonLinks(written: string): LinkTable | string {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    return 'This looks like JSON but cannot be parsed. Check brackets, quotes and commas.';
  }
  if (!Array.isArray(value)) {
    return { header: null, rows: Object.entries(value ?? {}).map(([name, item]) => [name, toCellText(item)]) };
  }
  const names = [...new Set(value.flatMap((item) => (isRecord(item) ? Object.keys(item) : [])))];
  if (names.length > maxColumns) return `These records have ${names.length} different keys; use at most ${maxColumns}.`;
  if (names.length === 0) return { header: null, rows: value.map((item) => [toCellText(item)]) };
  return {
    header: names,
    rows: value.map((item) => (isRecord(item) ? names.map((name) => toCellText(item[name])) : [toCellText(item)])),
  };
}

function parseCsvLinks(written: string): LinkTable | string {
  const { data, errors } = Papa.parse<string[]>(written, { skipEmptyLines: 'greedy' });
  const problem = errors.find(({ type }) => type === 'Quotes');
  if (problem) return `Line ${(problem.row ?? 0) + 1}: a quote is not closed.`;
  const [first = [], ...others] = data.map((row) => row.map((cell) => cell.trim()));
  if (others.length === 0) return { header: null, rows: [first] };
  const uneven = others.findIndex((row) => row.length !== first.length);
  if (uneven >= 0) {
    return `Line ${uneven + 2} has ${formatCellCount(others[uneven]?.length ?? 0)}, but the first line has ${formatCellCount(first.length)}.`;
  }
  const isHeader = first.every((cell) => /^[\p{L}_][\p{L}\p{N}_ -]*$/u.test(cell));
  return isHeader ? { header: first, rows: others } : { header: null, rows: [first, ...others] };
}

const formatCellCount = (cells: number) => `${cells} ${cells === 1 ? 'value' : 'values'}`;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toCellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The maximum price of a package: one million, in minor units of its currency. */
const maxPriceCents = 100_000_000;

const name = nameField('Enter a name.', 120);

const description = z.string('Enter text.').trim().max(2000, 'Use at most 2,000 characters.');

/** An amount in major units, converted to minor units. Blank is 0, which can be stored but not sold. */
const price = z.union([z.number(), z.string(), z.null()], 'Enter a price.').transform((input, context) => {
  const isBlank = input === null || (typeof input === 'string' && input.trim() === '');
  const cents = isBlank ? 0 : parseMoney(input);
  if (cents !== null && cents >= 0 && cents <= maxPriceCents) return cents;
  context.addIssue({ code: 'custom', message: 'Use an amount from 0 to 1,000,000.' });
  return z.NEVER;
});

/** CSV text, JSON text or a JSON value, stored as text. */
const links = z
  .union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown()), z.null()], 'Use CSV text or JSON.')
  .transform((input, context) => {
    const text = typeof input === 'string' ? input : input === null ? '' : JSON.stringify(input);
    const problem = text.length > maxLinksLength ? 'Use at most 20,000 characters.' : parseLinks(text);
    if (typeof problem !== 'string') return text;
    context.addIssue({ code: 'custom', message: problem });
    return z.NEVER;
  });

/** A boolean from JSON, or its text from a form. */
const isOnSale = z.union(
  [z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')],
  'Use true or false.',
);

const fields = z.object({
  name,
  price,
  desc: description.optional(),
  currency: z.enum(currencies, `Use one of ${currencies.join(', ')}.`).optional(),
  links: links.optional(),
  isOnSale: isOnSale.optional(),
});

type Fields = Partial<z.output<typeof fields>>;

/** Maps the fields to the table's columns. */
const columnsOf = ({ name, price, desc, currency, links, isOnSale }: Fields) => ({
  ...{ name, currency, links, isOnSale },
  priceCents: price,
  description: desc,
});

/** The body of POST /api/packages. */
export const createPackageBody = fields.transform(({ name, price, ...others }) => ({
  ...columnsOf(others),
  name,
  priceCents: price,
}));
export type CreatePackageInput = z.output<typeof createPackageBody>;

/** The body of PUT /api/packages/{id}. Absent fields keep their value. */
export const updatePackageBody = fields
  .partial()
  .extend({
    /** The version the edit is based on; a stale version is rejected. */
    version: z.coerce.number().int().min(1).optional(),
  })
  .transform(({ version, ...changes }) => ({ version, changes: columnsOf(changes) }));
export type UpdatePackageInput = z.output<typeof updatePackageBody>;

export const packageIdParams = z.object({ id: idTextField() });

/** The query of GET /api/packages for staff: up to 500 packages, newest first. X-Total-Count has the total. */
export const listPackagesQuery = pageQuery(500, 500);

export const packageSortKeys = ['added', 'name', 'price'] as const;
export type PackageSortKey = (typeof packageSortKeys)[number];
const packageSales = ['on', 'off'] as const;

/** The filters of the screen's URL. */
export const packageFilter = z.object({
  q: z.string().trim().max(200).optional(),
  sale: z.enum(packageSales).optional(),
});
export type PackageFilter = z.output<typeof packageFilter>;

export type PackageRow = InferSelectModel<typeof packages>;
/** A package that can be ordered, with its current price in USD cents. */
export type OfferedPackageRow = PackageRow & { usdCents: number };

type PackageFacts = Omit<PackageView, 'priceUsd'>;

/** A package as buyers see it. */
type PackageView = z.output<typeof packageResponse>;

/** A package as staff edit it. */
export type AdminPackageView = z.output<typeof adminPackageResponse>;

export function packageView(row: OfferedPackageRow): PackageView {
  return { ...facts(row), priceUsd: row.usdCents / 100 };
}

export function adminPackageView(row: PackageRow): AdminPackageView {
  const { links, isOnSale, version, createdAt, updatedAt } = row;
  return {
    ...facts(row),
    ...{ links, isOnSale, version },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

function facts({ id, name, description, priceCents, currency }: PackageRow): PackageFacts {
  return { id, name, desc: description, price: priceCents / 100, currency };
}

const packageFields = z.object({
  id: z.int(),
  name: z.string(),
  desc: z.string(),
  price: z.number().describe("The price of one, in `currency`'s major units."),
  currency: z.enum(currencies),
});

/** A package as buyers see it. */
export const packageResponse = packageFields
  .extend({ priceUsd: z.number().describe('The current price of one from the wallet, in USD.') })
  .meta({ title: 'Package' });

/** A package as staff edit it. */
export const adminPackageResponse = packageFields
  .extend({
    links: z.string().describe('CSV text or JSON, as entered.'),
    isOnSale: z.boolean(),
    version: z.int().describe('The version to send with an update, so that concurrent changes are detected.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ title: 'AdminPackage' });
