import { formatUsd } from '@/lib/money';
import { computeTaxCents } from '@/lib/tax/amounts';
import type { ShownTax } from '@/lib/tax/buyer-tax';
import { describeTax } from '@/lib/tax/describe-tax';

/** What orders cost, in USD cents. `taxName` is null while tax is off, and while it is not known. */
export type TaxedTotal = { netCents: number; taxCents: number; totalCents: number; taxName: string | null };

/** Adds the tax to the net amounts of orders. It is rounded for each order, as the server charges it. */
export function addTax(orders: readonly number[], tax: ShownTax | null): TaxedTotal {
  const netCents = orders.reduce((sum, cents) => sum + cents, 0);
  if (!tax || 'problem' in tax) return { netCents, taxCents: 0, totalCents: netCents, taxName: null };
  const taxCents = orders.reduce((sum, cents) => sum + computeTaxCents(cents, tax.rate), 0);
  return { netCents, taxCents, totalCents: netCents + taxCents, taxName: describeTax(tax) };
}

/** Says in running text which tax a total contains; nothing while tax is off. */
export const describeIncluded = ({ taxCents, taxName }: TaxedTotal): string =>
  taxName === null ? '' : taxCents === 0 ? ` (${taxName})` : ` with ${formatUsd(taxCents)} ${taxName}`;
