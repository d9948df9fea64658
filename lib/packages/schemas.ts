import { z } from 'zod';
import { currencies, parseMoney } from '@/lib/money';
import { pageQuery } from '@/lib/platform/http/fields';
import { maxLinksLength, parseLinks } from './links';

/** The maximum price of a package: one million, in minor units of its currency. */
const maxPriceCents = 100_000_000;

const name = z.string('Enter a name.').trim().min(1, 'Enter a name.').max(120, 'Use at most 120 characters.');

const description = z.string('Enter text.').trim().max(2000, 'Use at most 2,000 characters.');

/** An amount in major units, converted to minor units. Blank is 0, which can be stored but not sold. */
const price = z.union([z.number(), z.string(), z.null()], 'Enter a price.').transform((given, context) => {
  const isBlank = given === null || (typeof given === 'string' && given.trim() === '');
  const cents = isBlank ? 0 : parseMoney(given);
  if (cents !== null && cents >= 0 && cents <= maxPriceCents) return cents;
  context.addIssue({ code: 'custom', message: 'Use an amount from 0 to 1,000,000.' });
  return z.NEVER;
});

/** CSV text, JSON text or a JSON value, stored as text. */
const links = z
  .union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown()), z.null()], 'Use CSV text or JSON.')
  .transform((given, context) => {
    const text = typeof given === 'string' ? given : given === null ? '' : JSON.stringify(given);
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

export const packageIdParams = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,9}$/, 'Enter a number.')
    .transform(Number)
    .pipe(z.number().max(2_147_483_647)),
});

/** The query of GET /api/packages for staff: up to 500 packages, newest first. X-Total-Count has the total. */
export const listPackagesQuery = pageQuery(500, 500);

export const packageSortKeys = ['added', 'name', 'price'] as const;
export type PackageSortKey = (typeof packageSortKeys)[number];
const packageSales = ['on', 'off'] as const;

/** Rows per page of the packages screen. */
export const packagePageSizes = [25, 50, 100] as const;
export const defaultPackagePageSize = 25;

/** The filters of the screen's URL. An unknown value is ignored. */
export const packageFilter = z.object({
  q: z.string().trim().max(200).optional().catch(undefined),
  sale: z.enum(packageSales).optional().catch(undefined),
});
export type PackageFilter = z.output<typeof packageFilter>;
