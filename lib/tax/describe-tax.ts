import type { TaxDecision } from './contract';
import { getIdPrefix } from './countries';

/** Formats a rate in hundredths of a percent: "19%", "25.5%". */
export const formatTaxRate = (rate: number): string => `${rate / 100}%`;

/**
 * Names a tax on screens: "VAT 23%", or the words of its document, such as "Reverse charge".
 * @param rate in hundredths of a percent
 */
export function describeTax({ rate, text, country }: Pick<TaxDecision, 'rate' | 'text' | 'country'>): string {
  if (rate === 0 && text !== '') return text;
  const name = country === '' || getIdPrefix(country) !== null ? 'VAT' : 'Tax';
  return `${name} ${formatTaxRate(rate)}`;
}
