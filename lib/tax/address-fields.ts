/** The fields of an address by country, from the formats of the Universal Postal Union. Safe for client components. */

const withoutPostcode: ReadonlySet<string> = new Set(
  'AE AG AN AO AW BF BI BJ BO BS BW BZ CD CF CG CI CK CM DJ DM ER FJ GD GM GQ GY HK JM KI KM KN KP LC ML MO MR MW NR NU QA RW SB SC SL SR ST SY TD TG TK TL TO TV UG VU YE ZW'.split(
    ' ',
  ),
);

/** What countries whose addresses have a region call it. */
const regionNames: Readonly<Record<string, string>> = {
  ...{ US: 'State', AU: 'State', BR: 'State', MX: 'State', IN: 'State', MY: 'State', NG: 'State', VE: 'State' },
  ...{ CA: 'Province', CN: 'Province', IT: 'Province', ES: 'Province', AR: 'Province', ZA: 'Province', KR: 'Province' },
  ...{ TH: 'Province', TR: 'Province', VN: 'Province', PH: 'Province', ID: 'Province', JP: 'Prefecture' },
  ...{ AE: 'Emirate', IE: 'County', CL: 'Region', CO: 'Department', PE: 'Region', RU: 'Region', UA: 'Region' },
};

const postcodeNames: Readonly<Record<string, string>> = { US: 'ZIP code', IN: 'PIN code', IE: 'Eircode' };

/**
 * Returns the labels of the postcode and the region of an address; null for what the addresses of a country lack.
 * @param country ISO 3166-1 alpha-2 code
 */
export const getAddressFields = (country: string): { postcode: string | null; region: string | null } => ({
  postcode: withoutPostcode.has(country) ? null : (postcodeNames[country] ?? 'Postcode'),
  region: regionNames[country] ?? null,
});
