import { z } from 'zod';
import { integerParam, lineField, nameField, proseField, versionField } from '@/lib/platform/http/fields';
import { countryCodes } from '@/lib/taxonomy/country-codes';

/** The agreement of a seller, and the details of its statements. */
export const billingProfileInput = z.object({
  legalName: nameField('Enter your legal name.', 200),
  address: proseField('Enter your address.', 500),
  taxId: lineField(50).default(''),
  country: z.string('Choose your country.').refine((code) => countryCodes.has(code), 'Choose your country.'),
  agreed: z.literal(true, 'Agree to self-billing to continue.'),
  version: versionField,
});

/** Returns the number of a statement: "SB-2026-000012". */
export const statementNumber = ({ year, number }: { year: number; number: number }): string =>
  `SB-${year}-${String(number).padStart(6, '0')}`;

/** Returns the last day of a month: "2026-02-28". @param month YYYY-MM */
export function lastDayOf(month: string): string {
  const start = new Date(`${month}-01T00:00:00Z`);
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).toISOString().slice(0, 10);
}

const yearParam = integerParam(2000, 2999);
/** The query of the yearly export; the current year by default. */
export const yearQuery = z.object({ year: yearParam.default(() => new Date().getUTCFullYear()) });

/** The filters of the statements of all sellers: the id of a seller, and the year of the billed months. */
export const statementsQuery = z.object({
  seller: z.string().max(64).optional(),
  year: yearParam.optional(),
});
