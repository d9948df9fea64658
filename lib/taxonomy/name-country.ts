const names = new Intl.DisplayNames('en', { type: 'region' });

/** Returns the English name of a country. Safe for client components. @param code ISO 3166-1 alpha-2 code */
export const nameCountry = (code: string): string => names.of(code) ?? code;

/** Lists countries by name, as options of a select. @param codes ISO 3166-1 alpha-2 codes, separated by spaces */
export const listCountries = (codes: string) =>
  codes
    .split(' ')
    .map((value) => ({ value, label: nameCountry(value) }))
    .sort((one, other) => one.label.localeCompare(other.label, 'en'));
