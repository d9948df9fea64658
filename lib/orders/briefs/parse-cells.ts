/** The columns of a table of briefs, as files and spreadsheets have them. */
export type BriefColumnKey = 'targetUrl' | 'anchor' | 'rel' | 'words' | 'notBefore' | 'article' | 'notes';

/** The names that each column can have, in the form of `foldName`. */
export const briefColumnNames: Readonly<Record<BriefColumnKey, readonly string[]>> = {
  targetUrl: ['targeturl', 'target', 'targetpage', 'landingpage', 'link', 'linkurl', 'destination', 'destinationurl'],
  anchor: ['anchortext', 'anchor', 'keyword', 'linktext'],
  rel: ['linkattribute', 'rel', 'attribute', 'linktype', 'follow'],
  words: ['words', 'wordcount', 'length'],
  notBefore: ['publishfrom', 'notbefore', 'from', 'date', 'publishdate', 'publicationdate', 'earliestdate'],
  article: ['article', 'writer', 'content', 'writtenby'],
  notes: ['notes', 'note', 'notesforthepublisher', 'comment', 'comments', 'instructions', 'brief'],
};

/** The names of a column of sites. */
export const siteColumnNames = [
  ...['site', 'domain', 'website', 'url', 'siteurl', 'host', 'publisher', 'listing', 'listingid', 'siteid'],
];

/** Reduces a name to lower-case letters and digits, for comparison: "Target URL" and "target_url" are one name. */
export const foldName = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const rels: Readonly<Record<string, string>> = {
  any: 'any',
  default: 'any',
  dofollow: 'dofollow',
  follow: 'dofollow',
  do: 'dofollow',
  df: 'dofollow',
  nofollow: 'nofollow',
  no: 'nofollow',
  nf: 'nofollow',
  sponsored: 'sponsored',
  relsponsored: 'sponsored',
  ugc: 'ugc',
  relnofollow: 'nofollow',
  reldofollow: 'dofollow',
  relugc: 'ugc',
};

const writers: Readonly<Record<string, 'seller' | 'buyer'>> = {
  publisher: 'seller',
  publisherwrites: 'seller',
  seller: 'seller',
  site: 'seller',
  writtenbythepublisher: 'seller',
  publisherwritesit: 'seller',
  buyer: 'buyer',
  buyerwrites: 'buyer',
  own: 'buyer',
  me: 'buyer',
  iwrite: 'buyer',
  iprovidethearticle: 'buyer',
  iprovideit: 'buyer',
  provided: 'buyer',
  writtenbythebuyer: 'buyer',
};

/** Parses a link attribute: "do-follow" is `dofollow`, an empty text `any`; other texts stay. */
export const parseRel = (typed: string): string =>
  typed === '' || typed === '-' ? 'any' : (rels[foldName(typed)] ?? typed);

/** Parses who writes the article: `seller` for an empty text; other texts stay. */
export const parseWriter = (typed: string): string =>
  typed === '' || typed === '-' ? 'seller' : (writers[foldName(typed)] ?? typed);

/** Parses "1,200", "1.200", "1 200", "1200 words", "1.2k" and "1200.0"; other texts stay. */
export function parseWords(typed: string): string {
  const bare = typed.replace(/\s*(words?|w)\.?$/i, '').trim();
  const thousands = /^(\d{1,3})(?:[.,](\d))?\s*k$/i.exec(bare);
  if (thousands) return String(Number(thousands[1]) * 1_000 + Number(thousands[2] ?? 0) * 100);
  const digits = bare.replace(/[.,]0{1,2}$/, '');
  if (/^\d+$/.test(digits)) return String(Number(digits));
  return /^\d{1,3}(?:([.,'’\s\u00a0\u202f])\d{3})(?:\1\d{3})*$/.test(digits) ? digits.replace(/\D/g, '') : typed;
}

const fullMonths = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];
const months = fullMonths.map((name) => name.slice(0, 3));

/**
 * Parses a day as people and spreadsheets write it: "2027-01-15", "15 Jan 2027", "January 15th, 2027", "15.01.2027",
 * "15/01/2027", "1/15/2027".
 * @returns YYYY-MM-DD; '' for an empty text; null where the day is unclear ("03/04/2027") or does not exist
 */
export function parseDay(text: string): string | null {
  const typed = text.trim();
  if (typed === '') return '';
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?$/.exec(typed);
  if (iso) return toDay(iso[1], iso[2], iso[3]);
  const dotted = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(typed);
  if (dotted) return toDay(dotted[3], dotted[2], dotted[1]);
  const numeric = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(typed);
  if (numeric) return parseNumeric(Number(numeric[1]), Number(numeric[2]), numeric[3]);
  const words = typed
    .toLowerCase()
    .replace(/^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[,.]?\s+/, '')
    .replace(/(\d)(?:st|nd|rd|th)\b/, '$1');
  const dayFirst = /^(\d{1,2})\.?[\s-]+(?:of\s+)?([a-z]+)\.?,?[\s-]+(\d{4})$/.exec(words);
  if (dayFirst) return toDay(dayFirst[3], monthOf(dayFirst[2]), dayFirst[1]);
  const monthFirst = /^([a-z]+)\.?[\s-]+(\d{1,2}),?[\s-]+(\d{4})$/.exec(words);
  return monthFirst ? toDay(monthFirst[3], monthOf(monthFirst[1]), monthFirst[2]) : null;
}

/** Reads "15/01/2027" and "1/15/2027". Both orders are in use, so a day up to 12 is unclear unless they agree. */
function parseNumeric(first: number, second: number, year: string | undefined): string | null {
  if (first > 12) return toDay(year, second, first);
  return second > 12 || first === second ? toDay(year, first, second) : null;
}

function monthOf(name = ''): number {
  const short = name === 'sept' ? 'sep' : name;
  const index = short.length === 3 ? months.indexOf(short) : fullMonths.indexOf(short);
  return index + 1;
}

function toDay(year: unknown, month: unknown, day: unknown): string | null {
  const pad = (value: unknown) => String(Number(value)).padStart(2, '0');
  const text = `${year}-${pad(month)}-${pad(day)}`;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null;
}
