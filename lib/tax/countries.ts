/** The member states of the European Union, as ISO 3166-1 alpha-2 codes. */
export const euCountries: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);

/**
 * The territory for value added tax: Monaco counts as France and the Isle of Man as the United Kingdom (Article 7 of
 * Directive 2006/112/EC), Liechtenstein as Switzerland (Article 3 of the Swiss Value Added Tax Act). Northern Ireland is a
 * member for goods only, so that services to it are services to the United Kingdom, also to a buyer with an XI number.
 * Territories of members that are outside the area of the tax (Article 6) have codes of their own, e.g. AX and RE.
 */
export const vatTerritory = (country: string): string => territories[country] ?? country;

const territories: Readonly<Record<string, string>> = { MC: 'FR', IM: 'GB', LI: 'CH' };

/** Returns the prefix of VAT identification numbers of a country: EL for Greece, otherwise its code. */
export const vatPrefix = (country: string): string => {
  const territory = vatTerritory(country);
  return territory === 'GR' ? 'EL' : territory;
};

/** The prefixes of countries outside the European Union whose VAT ids are checked. */
const prefixesOutside: Readonly<Record<string, string>> = { GB: 'GB', CH: 'CHE', NO: 'NO' };

/** Returns the prefix of a country's VAT ids; null where their form is not known. */
export const getIdPrefix = (country: string): string | null =>
  euCountries.has(vatTerritory(country)) ? vatPrefix(country) : (prefixesOutside[country] ?? null);
