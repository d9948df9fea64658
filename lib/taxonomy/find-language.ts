import { findCountry } from './find-country';
import { toNameKey } from './name-key';

/** ISO 639-1. */
const codes =
  `aa ab af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu
  fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km
  kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj
  om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn
  to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu`.split(/\s+/);
/** Languages of ISO 639-2 and 639-3 that websites are written in, beside those with a shorter code. */
const longCodes = ['ceb', 'ckb', 'fil', 'gsw', 'haw', 'hmn', 'yue'];

/** Languages in which sellers write languages, as for countries (find-country.ts); the first one prevails. */
const locales = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'pt'];
/** Tags with names of their own: "American English", "Brazilian Portuguese". */
const regionalTags =
  'en-US en-GB en-AU en-CA es-ES es-MX es-419 pt-BR pt-PT fr-FR fr-CA fr-CH de-AT de-CH nl-BE zh-Hans zh-Hant ro-MD'.split(
    ' ',
  );

/** The usual name where the one of Unicode is another. */
const ownNames: Readonly<Record<string, string>> = { bn: 'Bengali', nb: 'Norwegian', nn: 'Norwegian', fil: 'Filipino' };

/** Other common names, by code. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  ar: ['Modern Standard Arabic', 'Egyptian Arabic', 'Arab'],
  az: ['Azeri'],
  bn: ['Bangla'],
  el: ['Modern Greek'],
  en: [
    'UK English',
    'US English',
    'USA English',
    'International English',
    'British',
    'American',
    'EN/US',
    'EN/UK',
    'EN/GB',
  ],
  es: ['Castilian', 'Castellano', 'Latin Spanish', 'LATAM Spanish', 'Spanish LATAM', 'Español latino'],
  fa: ['Farsi'],
  fil: ['Tagalog', 'Pilipino'],
  hi: ['हिंदी'],
  id: ['Bahasa', 'Bahasa Indonesia'],
  ca: ['Valencian', 'Valencià'],
  ms: ['Bahasa Melayu', 'Malaysian'],
  my: ['Myanmar'],
  km: ['Cambodian'],
  nl: ['Flemish', 'Vlaams', 'Hollands'],
  no: ['Norsk', 'Norwegian Bokmål', 'Bokmål', 'Nynorsk'],
  pa: ['Panjabi'],
  pt: ['Brazilian', 'Português do Brasil', 'PT/BR'],
  ro: ['Moldovan'],
  si: ['Sinhalese'],
  sr: ['Srpski', 'Serbo-Croatian'],
  uk: ['Ukranian'],
  zh: [
    'Mandarin',
    'Mandarin Chinese',
    'Chinese Simplified',
    'Chinese Traditional',
    '中文',
    '汉语',
    '漢語',
    '普通话',
    '中文繁體',
    '简体中文',
    '繁體中文',
  ],
};

/** Sites in many languages. */
const multilingual = 'Multilingual';
const multilingualAliases = [
  multilingual,
  'Multi',
  'Multi language',
  'Multiple languages',
  'All languages',
  'Any language',
  'All',
  'Multiple',
  'Mehrsprachig',
];

let names: { byKey: ReadonlyMap<string, string>; byCode: ReadonlyMap<string, string> } | undefined;

/**
 * Finds languages by their ISO 639 codes or tags ("de", "ger", "pt-BR"), by their names in English, in themselves and in
 * the languages that countries are accepted in, or by a common alias. Several can be separated by commas, slashes or
 * "and".
 * @returns the names in English: "German" for "Deutsch", "English, Spanish" for "EN/ES"; undefined if one is unknown
 */
export const findLanguage = (text: string): string | undefined => findIn(text, separators);

/** Hyphens separate last, because they are inside names and tags as well. */
const separators = [/[,;/\\|&+\n]|\s(?:and|or|und|oder|et|ou|y|o|e|i|en|of)\s/iu, /[–—-]/u];

function findIn(text: string, [separator, ...others]: readonly RegExp[]): string | undefined {
  const single = findSingle(text);
  if (single !== undefined || !separator) return single;
  const found = text
    .split(separator)
    .filter((part) => toNameKey(part) !== '')
    .map((part) => findIn(part, others));
  return found.length === 0 || found.includes(undefined) ? undefined : [...new Set(found)].join(', ');
}

/** Returns the name of the catalog, for a code or another spelling; other text stays as it is. */
export const toLanguageName = (text: string): string => findLanguage(text) ?? text;

/** A tag of BCP 47 with a language, a script and a region; also with underscores, as "pt_BR". */
const tagPattern = /^([a-z]{2,3})(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|\d{3}))?$/i;

function findSingle(text: string): string | undefined {
  names ??= buildNames();
  const withoutNote = text.replace(
    /[([（][^()[\]（）]*[)\]）]|(?<!\p{L})(?:language|only|langue|idioma|język|язык)(?!\p{L})/giu,
    ' ',
  );
  const known = [text, withoutNote].map((name) => names?.byKey.get(toNameKey(name))).find((name) => name !== undefined);
  if (known !== undefined) return known;
  const [, name = '', region = ''] = /^(\p{L}+)[\s_–-]+(.+)$/u.exec(text.trim()) ?? [];
  if (findCountry(region) !== undefined) return names.byKey.get(toNameKey(name));
  const tag = tagPattern.exec(withoutNote.replace(/[\s.]+$/, '').trim());
  // The locale has the code of two letters for one of three, and the current code for an old one.
  return tag?.[1] && names.byCode.get(new Intl.Locale(tag[1]).language);
}

function buildNames(): { byKey: Map<string, string>; byCode: Map<string, string> } {
  const byKey = new Map<string, string>();
  const namesIn = (locale: string) => new Intl.DisplayNames([locale], { type: 'language', fallback: 'none' });
  const add = (text: string | undefined, name: string) => {
    const key = toNameKey(text ?? '');
    if (key !== '' && !byKey.has(key)) byKey.set(key, name);
  };
  const english = namesIn('en');
  const byCode = new Map(
    [...codes, ...longCodes].flatMap((code) => {
      const { language } = new Intl.Locale(code);
      const name = ownNames[language] ?? english.of(language);
      return name === undefined ? [] : [[language, name] as const];
    }),
  );
  for (const [code, name] of byCode) for (const text of [code, name]) add(text, name);
  for (const names of locales.map(namesIn)) {
    for (const [code, name] of byCode) add(names.of(code), name);
    for (const tag of regionalTags) add(names.of(tag), byCode.get(new Intl.Locale(tag).language) ?? tag);
  }
  for (const [code, name] of byCode) add(namesIn(code).of(code), name);
  for (const [code, texts] of Object.entries(aliases)) for (const text of texts) add(text, byCode.get(code) ?? text);
  for (const text of multilingualAliases) add(text, multilingual);
  return { byKey, byCode };
}
