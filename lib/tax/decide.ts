import { AppError } from '@/lib/errors';
import type { Operator, TaxDecision, TaxedBuyer } from './contract';
import { euCountries, vatPrefix, vatTerritory } from './countries';
import { findRate } from './rates';

type Decided = {
  /** With the country whose rules apply: that of the switch. */
  operator: Pick<Operator, 'isSmallBusiness' | 'smallBusinessText' | 'served' | 'trustsSilentVies' | 'rates'> & {
    country: string;
  };
  buyer: TaxedBuyer;
  /** YYYY-MM-DD. */
  day: string;
};

/** The page that resolves what is missing. */
export const billingPath = '/user/billing';

/**
 * Decides the tax of a service that the operator supplies to a buyer on a day: Articles 44, 45, 58 and 196 of Directive
 * 2006/112/EC.
 * @throws AppError billing_incomplete for a buyer without a country; conflict for a buyer whom the operator does not serve,
 * and for a country without a rate
 */
export function decideTax({ operator, buyer, day }: Decided): TaxDecision {
  const home = vatTerritory(operator.country);
  const country = vatTerritory(buyer.country);
  if (country === '') {
    const message = 'Enter your country under Billing: the tax depends on it.';
    throw new AppError('billing_incomplete', message, { fields: { country: message }, url: billingPath });
  }
  const { served } = operator;
  const isHome = country === home;
  const isInsideEu = euCountries.has(home) && euCountries.has(country);
  const isBusiness = isInsideEu && isValidBusiness(operator, buyer);
  const { euPersons } = served;
  if (isHome) requireServed(served.domestic, 'in its own country');
  else if (isBusiness) requireServed(served.euBusinesses, 'in other member states of the European Union');
  else if (isInsideEu)
    requireServed(euPersons !== 'refuse', 'in other member states without a valid VAT id', billingPath);
  else requireServed(served.outsideEu, euCountries.has(home) ? 'outside the European Union' : 'in other countries');
  if (operator.isSmallBusiness)
    return { rate: 0, category: 'E', reason: '', text: operator.smallBusinessText, country: '' };
  if (isHome) return charge(operator, home, day);
  if (isBusiness) return { rate: 0, category: 'AE', reason: 'VATEX-EU-AE', text: 'Reverse charge', country: '' };
  if (isInsideEu) return charge(operator, euPersons === 'oss' ? country : home, day);
  return { rate: 0, category: 'O', reason: 'VATEX-EU-O', text: 'Outside the scope of VAT', country: '' };
}

/** Checks whether a buyer is a business: its VAT id belongs to its country, and VIES confirmed it or may be silent. */
function isValidBusiness({ trustsSilentVies }: Pick<Operator, 'trustsSilentVies'>, buyer: TaxedBuyer): boolean {
  const { vatId, vatCheck, country } = buyer;
  if (vatId === '' || !vatId.startsWith(vatPrefix(country))) return false;
  if (!vatCheck || vatCheck.state === 'unavailable') return trustsSilentVies;
  return vatCheck.state === 'valid';
}

function charge({ rates }: Pick<Operator, 'rates'>, country: string, day: string): TaxDecision {
  const rate = findRate(rates, country, day);
  if (rate === null)
    throw new AppError('conflict', `No rate of tax is set for ${country}. An admin enters it under Tax and identity.`);
  return { rate, category: rate === 0 ? 'Z' : 'S', reason: '', text: '', country };
}

function requireServed(isServed: boolean, who: string, url?: string): void {
  if (isServed) return;
  throw new AppError('conflict', `This marketplace does not serve buyers ${who}.`, url ? { url } : {});
}
