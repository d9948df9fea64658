import { z } from 'zod';
import { integerParam, lineField, nameField, proseField, versionField } from '@/lib/platform/http/fields';
import type { SellerStatement } from './queries';

/** The agreement of a seller, and the details of its statements. */
export const billingProfileInput = z.object({
  legalName: nameField('Enter your legal name.', 200),
  address: proseField('Enter your address.', 500),
  taxId: lineField(50).default(''),
  country: nameField('Enter your country.', 100),
  agreed: z.literal(true, 'Agree to self-billing to continue.'),
  version: versionField,
});

/** Returns the number of a statement: "SB-2026-000012". */
export const statementNumber = ({ year, number }: { year: number; number: number }): string =>
  `SB-${year}-${String(number).padStart(6, '0')}`;

export const statementIdParams = z.object({ id: z.string().trim().min(1).max(64) });

/** The query of the yearly export; the current year by default. */
export const yearQuery = z.object({
  year: integerParam(2000, 2999).default(() => new Date().getUTCFullYear()),
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
