const names = new Intl.DisplayNames('en', { type: 'region' });

/** Returns the English name of a country. Safe for client components. @param code ISO 3166-1 alpha-2 code */
export const nameCountry = (code: string): string => names.of(code) ?? code;
