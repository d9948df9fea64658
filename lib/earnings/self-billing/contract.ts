import { z } from 'zod';
import { versionField } from '@/lib/platform/http/fields';
import type { SellerStatement } from './queries';

const text = (most: number, empty: string) =>
  z.string(empty).trim().min(1, empty).max(most, `Use at most ${most} characters.`);

/** The agreement of a seller, and the details of its statements. */
export const billingProfileInput = z.object({
  legalName: text(200, 'Enter your legal name.'),
  address: text(500, 'Enter your address.'),
  taxId: z.string().trim().max(50, 'Use at most 50 characters.').default(''),
  country: text(100, 'Enter your country.'),
  agreed: z.literal(true, 'Agree to self-billing to continue.'),
  version: versionField,
});

/** Returns the number of a statement: "SB-2026-000012". */
export const statementNumber = ({ year, number }: { year: number; number: number }): string =>
  `SB-${year}-${String(number).padStart(6, '0')}`;

export const statementIdParams = z.object({ id: z.string().trim().min(1).max(64) });

/** The query of the yearly export; the current year by default. */
export const yearQuery = z.object({
  year: z.coerce
    .number('Enter a year.')
    .int('Enter a year.')
    .min(2000, 'Enter a year.')
    .max(2999, 'Enter a year.')
    .default(() => new Date().getUTCFullYear()),
});

/** Returns a self-billed statement for a list. Amounts in USD cents. */
export const statementRow = (row: SellerStatement & { sellerEmail: string }) => ({
  id: row.id,
  name: statementNumber(row),
  month: row.month,
  sellerName: row.legalName,
  sellerEmail: row.sellerEmail,
  billedCents: row.billedCents,
  feeCents: row.feeCents,
  placementCount: row.placementCount,
});

export type StatementRow = ReturnType<typeof statementRow>;
