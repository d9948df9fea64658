import { formatUsd } from '@/lib/money';
import { computeTaxCents, formatTaxRate } from '@/lib/tax/amounts';
import type { ShownTax } from '@/lib/tax/buyer-tax';
import type { TaxDecision } from '@/lib/tax/contract';
import { getIdPrefix } from '@/lib/tax/countries';

/** What orders cost, in USD cents. `taxName` is null while tax is off, and while it is not known. */
export type TaxedTotal = { netCents: number; taxCents: number; totalCents: number; taxName: string | null };

/** Adds the tax to the net amounts of orders. It is rounded for each order, as the server charges it. */
export function addTax(orders: readonly number[], tax: ShownTax | null): TaxedTotal {
  const netCents = orders.reduce((sum, cents) => sum + cents, 0);
  if (!tax || 'problem' in tax) return { netCents, taxCents: 0, totalCents: netCents, taxName: null };
  const taxCents = orders.reduce((sum, cents) => sum + computeTaxCents(cents, tax.rate), 0);
  return { netCents, taxCents, totalCents: netCents + taxCents, taxName: describeTax(tax) };
}

/**
 * Names a tax on screens: "VAT 23%", or the words of its document, such as "Reverse charge".
 * @param rate in hundredths of a percent
 */
function describeTax({ rate, text, country }: Pick<TaxDecision, 'rate' | 'text' | 'country'>): string {
  if (rate === 0 && text !== '') return text;
  const name = country === '' || getIdPrefix(country) !== null ? 'VAT' : 'Tax';
  return `${name} ${formatTaxRate(rate)}`;
}

/** Says in running text which tax a total contains; nothing while tax is off. */
export const describeIncluded = ({ taxCents, taxName }: TaxedTotal): string =>
  taxName === null ? '' : taxCents === 0 ? ` (${taxName})` : ` with ${formatUsd(taxCents)} ${taxName}`;
