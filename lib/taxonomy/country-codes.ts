import { getCountrySpecifications } from 'ibantools';

/** The ISO 3166-1 alpha-2 codes, and XK (Kosovo), which banks use as well. */
export const countryCodes: ReadonlySet<string> = new Set(Object.keys(getCountrySpecifications()));
