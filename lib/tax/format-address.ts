import type { BillingIdentity } from '@/db/schema/tax';
import { nameCountry } from '@/lib/taxonomy/name-country';

/** Returns the lines of an address, separated by \n, with the name of its country; empty without an address. */
export function formatAddress({
  street,
  postcode,
  city,
  region,
  country,
}: Pick<BillingIdentity, 'street' | 'postcode' | 'city' | 'region' | 'country'>): string {
  const place = [postcode, city].filter(Boolean).join(' ');
  return [street, place, region, country && nameCountry(country)].filter(Boolean).join('\n');
}
