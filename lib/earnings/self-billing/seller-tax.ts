import type { TaxLine } from '@/db/schema/invoices';
import { AppError } from '@/lib/errors';
import type { TaxDecision } from '@/lib/tax/contract';
import { euCountries, getIdPrefix, vatTerritory } from '@/lib/tax/countries';
import { type DocumentOperator, getUntaxedText } from '@/lib/tax/document-operator';
import { findRate } from '@/lib/tax/rates';
import { parseVatId } from '@/lib/tax/vat-id';

/** The facts about a seller that tax depends on. */
type TaxedSeller = { country: string; taxId: string };

/**
 * Returns a tax number as a VAT identification number of its country; null for another number, also of a country whose
 * VAT ids are not known.
 */
export function findVatId({ country, taxId }: TaxedSeller): string | null {
  const parsed = getIdPrefix(country) === null ? null : parseVatId(taxId, country);
  return parsed && 'vatId' in parsed && parsed.vatId !== '' ? parsed.vatId : null;
}

/**
 * Decides the tax of what a seller supplies to the operator: that of their country if the seller is registered in it,
 * reverse charge for a business of another member state (Article 196 of Directive 2006/112/EC), otherwise none.
 * @param day YYYY-MM-DD
 * @throws AppError conflict without a rate of the country
 */
export function decideSellerTax(
  { operator, tax }: Pick<DocumentOperator, 'operator' | 'tax'>,
  seller: TaxedSeller,
  day: string,
): TaxDecision {
  if (!tax.enabled) return { rate: 0, category: 'E', reason: '', text: getUntaxedText(operator), country: '' };
  const [home, country] = [vatTerritory(tax.country), vatTerritory(seller.country)];
  const isRegistered = findVatId(seller) !== null;
  if (country === home && isRegistered) {
    const rate = findRate(operator.rates, home, day);
    if (rate === null) throw new AppError('conflict', `No rate of tax is set for ${home}.`);
    return { rate, category: rate === 0 ? 'Z' : 'S', reason: '', text: '', country: home };
  }
  const isInsideEu = euCountries.has(home) && euCountries.has(country);
  if (isInsideEu && isRegistered)
    return { rate: 0, category: 'AE', reason: 'VATEX-EU-AE', text: 'Reverse charge', country: '' };
  const text = country === home || isInsideEu ? 'The supplier is not registered for VAT' : 'Outside the scope of VAT';
  return { rate: 0, category: 'O', reason: 'VATEX-EU-O', text, country: '' };
}

/** Splits an amount that includes its tax: the net amount is rounded half up to the cent. */
export function splitTax(grossCents: number, decision: TaxDecision): TaxLine {
  const divisor = BigInt(10_000 + decision.rate);
  const netCents = Number((BigInt(grossCents) * 20_000n + divisor) / (2n * divisor));
  return { ...decision, netCents, taxCents: grossCents - netCents };
}
