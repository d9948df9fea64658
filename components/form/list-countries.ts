const regionNames = new Intl.DisplayNames(['en'], { type: 'region' });

/** Lists countries by name, as options of a select. @param codes ISO 3166-1 alpha-2 codes, separated by spaces */
export const listCountries = (codes: string) =>
  codes
    .split(' ')
    .map((value) => ({ value, label: regionNames.of(value) ?? value }))
    .sort((one, other) => one.label.localeCompare(other.label, 'en'));
