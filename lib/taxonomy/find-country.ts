import { getAlpha2Codes, getNames, registerLocale, toAlpha3 } from 'i18n-iso-countries/index';
import german from 'i18n-iso-countries/langs/de.json';
import english from 'i18n-iso-countries/langs/en.json';
import spanish from 'i18n-iso-countries/langs/es.json';
import french from 'i18n-iso-countries/langs/fr.json';
import italian from 'i18n-iso-countries/langs/it.json';
import dutch from 'i18n-iso-countries/langs/nl.json';
import polish from 'i18n-iso-countries/langs/pl.json';
import portuguese from 'i18n-iso-countries/langs/pt.json';
import { countries } from './countries';
import { toNameKey } from './name-key';

/** Languages in which sellers write countries; the first one prevails. */
const languages = [english, german, spanish, french, italian, dutch, polish, portuguese];

/** Short names where the library has only the official one, by ISO code. */
const shortNames: Readonly<Record<string, string>> = {
  BN: 'Brunei',
  CD: 'DR Congo',
  CG: 'Congo',
  FK: 'Falkland Islands',
  FM: 'Micronesia',
  GM: 'Gambia',
  IR: 'Iran',
  LA: 'Laos',
  MD: 'Moldova',
  PS: 'Palestine',
  RU: 'Russia',
  SY: 'Syria',
  VA: 'Vatican City',
};

/** Other common names, by ISO code. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  AE: ['Emirates'],
  CZ: ['Czech'],
  GB: ['England', 'Scotland', 'Wales', 'Northern Ireland', 'Britain', 'U.K.'],
  KR: ['Korea'],
  MM: ['Burma'],
  NL: ['Holland'],
  US: ['America'],
};
/** Publications without a country. */
const worldwide = 'Worldwide';
const worldwideAliases = [worldwide, 'World', 'Global', 'International'];

let namesByKey: ReadonlyMap<string, string> | undefined;

/**
 * Finds a country by its ISO 3166 code (two or three letters), by its name in one of several languages, or by a common
 * alias.
 * @returns its name as the catalog spells it: "United Kingdom" for "UK"; undefined if it is unknown
 */
export function findCountry(text: string): string | undefined {
  namesByKey ??= buildNames();
  return namesByKey.get(toNameKey(text));
}

function buildNames(): Map<string, string> {
  for (const language of languages) registerLocale(language);
  const names = new Map<string, string>();
  const add = (text: string, name: string) => {
    const key = toNameKey(text);
    if (!names.has(key)) names.set(key, name);
  };
  const byLanguage = languages.map(({ locale }) => getNames(locale, { select: 'all' }));
  const known = new Map(countries.map((name) => [toNameKey(name), name]));
  const codes = Object.keys(getAlpha2Codes());
  const english = new Map(
    codes.map((code) => {
      const all = byLanguage[0]?.[code] ?? [];
      const listed = all.map((name) => known.get(toNameKey(name))).find((name) => name !== undefined);
      return [code, listed ?? shortNames[code] ?? all[0] ?? code];
    }),
  );
  // Codes first, then names: no name equals the code of another country.
  for (const [code, name] of english) for (const text of [code, toAlpha3(code) ?? code, name]) add(text, name);
  for (const all of byLanguage) for (const [code, name] of english) for (const text of all[code] ?? []) add(text, name);
  for (const [code, texts] of Object.entries(aliases)) for (const text of texts) add(text, english.get(code) ?? text);
  for (const text of worldwideAliases) add(text, worldwide);
  return names;
}
