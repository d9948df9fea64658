import { nameCountry } from '@/lib/taxonomy/name-country';
import type { Operator } from './contract';
import { vatTerritory } from './countries';
import { findRate } from './rates';

/**
 * Lists what an operator lacks for tax by the rules of a country: messages by field of the operator, empty for nothing.
 * A small business charges no tax, so that it needs no rate, and a tax number is enough.
 * @param country whose rules apply; empty if none is chosen
 * @param day YYYY-MM-DD
 */
export function listMissing(operator: Operator, country: string, day: string): Record<string, string> {
  const { name, street, city, vatIds, taxNumber, isSmallBusiness, rates } = operator;
  const missing: Record<string, string> = {};
  if (name === '') missing.name = 'Enter the legal name.';
  if (street === '') missing.street = 'Enter the street.';
  if (city === '') missing.city = 'Enter the city.';
  if (operator.country === '' || country === '') {
    missing.country = 'Choose the country.';
    return missing;
  }
  const of = nameCountry(country);
  const hasVatId = vatIds.some((one) => vatTerritory(one.country) === vatTerritory(country));
  if (isSmallBusiness) {
    if (!hasVatId && taxNumber === '') missing.taxNumber = `Enter the tax number, or add the VAT id of ${of}.`;
    return missing;
  }
  if (!hasVatId) missing.vatIds = `Add the VAT id of ${of}.`;
  if (findRate(rates, country, day) === null) missing.rates = `Add the rate of ${of}.`;
  return missing;
}
