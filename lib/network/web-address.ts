import { domainToUnicode } from 'node:url';
import { parseUrl } from './can-parse-url';
import { removeFormatCharacters } from './visible-text';

export type WebAddress = {
  /** The address as typed, with its scheme and without characters that are not shown. */
  address: string;
  url: URL;
  hasScheme: boolean;
};

/** The scheme of a web address, also with too many or too few slashes, or without its colon. */
const webScheme = /^(https?)(?::\/*|\/\/+)(?=[^/])/i;
/** Two slashes or more before a host; one begins a path. */
const protocolRelative = /^\/{2,}(?=[^/])/;
/** A host of ASCII characters, none of them percent-encoded. */
const plainHost = /^https?:\/\/[!-$&-.0->@-~]*(?:[/?#]|$)/i;
const typedHost = /(?<=^https?:\/\/)[^/?#]*/i;
const portOfHttp = /^[^/?#]*:80(?:[/?#]|$)/;

/**
 * Parses a typed or pasted web address. Adds https:// if the scheme is missing, also before `//host`. Only accepts http and
 * https, so that a link can neither run a script nor open a file.
 * @returns null for another text, and for credentials, which disguise the host
 */
export function parseWebAddress(typed: string): WebAddress | null {
  const text = removeFormatCharacters(typed).trim();
  // The URL parser silently removes line breaks and converts backslashes, so the stored URL would differ from the link.
  // U+2800, a Braille pattern without dots, is not shown.
  if (/[\s\p{Cc}\\\u2800]/u.test(text)) return null;
  const hasScheme = webScheme.test(text);
  const rest = text.replace(hasScheme ? webScheme : protocolRelative, '');
  if (rest === '' || /^[/?#]/.test(rest)) return null;
  const scheme = webScheme.exec(text)?.[1] ?? (portOfHttp.test(rest) ? 'http' : 'https');
  const typedAddress = `${scheme}://${rest}`;
  const url = parseUrl(typedAddress);
  // Rejects "mailto:me@example.com", which parses as a user name after https://.
  if (url?.username !== '' || url.password !== '') return null;
  // A host of other letters has several spellings, e.g. encoded or with full-width letters; a search finds one.
  const isPlain = plainHost.test(typedAddress) && !url.hostname.includes('xn--');
  const port = url.port === '' ? '' : `:${url.port}`;
  const address = isPlain ? typedAddress : typedAddress.replace(typedHost, () => `${getShownName(url)}${port}`);
  return { address, url, hasScheme };
}

/** A host name that can be registered: several labels, the last one of letters; no bare name and no IP address. */
const publicHost = /^(?=.{1,254}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{2,59})\.?$/;

/** Checks whether a host as the URL parser gives it is a name below a public domain. */
export const isPublicHost = (hostname: string): boolean => publicHost.test(hostname);

/**
 * Returns a host without a trailing dot. A name in other letters than ASCII is in these letters, whether it was typed so or
 * encoded.
 */
export const getHost = (url: Pick<URL, 'hostname'>): string => getUnicodeName(url).replace(/\.$/, '');

const getUnicodeName = ({ hostname }: Pick<URL, 'hostname'>): string =>
  hostname.includes('xn--') ? domainToUnicode(hostname) || hostname : hostname;

/** Returns a host as it is compared and searched: of `HTTPS://WWW.Example.com.:443`, "example.com". */
export const getComparedHost = (url: Pick<URL, 'hostname'>): string => getHost(url).replace(/^www\.(?=[^.]+\.)/, '');

/** Returns a host as it is shown: in its script, or encoded where its letters pass for others, as browsers do. */
export function getShownName(url: Pick<URL, 'hostname'>): string {
  const name = getUnicodeName(url);
  return name.split('.').every((label, _, labels) => isPlainScript(label, labels.at(-1) ?? '')) ? name : url.hostname;
}

/** The scripts of names that are written in one of them, and those that are written together in Asian languages. */
const writtenTogether = [
  ...[
    'Arabic',
    'Armenian',
    'Bengali',
    'Cyrillic',
    'Devanagari',
    'Ethiopic',
    'Georgian',
    'Greek',
    'Gujarati',
    'Gurmukhi',
  ],
  ...['Hebrew', 'Kannada', 'Khmer', 'Lao', 'Latin', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu'],
  ...['Thaana', 'Thai', 'Tibetan', 'Latin Han Hiragana Katakana', 'Latin Han Bopomofo', 'Latin Han Hangul'],
].map((scripts) => {
  const classes = [...scripts.split(' '), 'Common', 'Inherited'].map((name) => `\\p{Script=${name}}`);
  return new RegExp(`^[${classes.join('')}]+$`, 'u');
});
/** Letters that look like ASCII ones. */
const lookalikes = /^[ɑɡɩɪасԁеһіјӏорԛѕԝхуъьҽпгѵѡοανυιa-z\d-]+$/;

/** A symbol can look like a part of the address: U+2215 like a slash. */
const letters = /^[\p{L}\p{M}\p{Nd}·-]+$/u;

/**
 * Checks whether a label has only letters, of one script, and does not look like a name in ASCII under a top-level domain
 * in ASCII.
 */
function isPlainScript(label: string, topLevel: string): boolean {
  if (/^[\0-\x7f]*$/.test(label)) return true;
  if (lookalikes.test(label) && /^[a-z]+$/.test(topLevel)) return false;
  return letters.test(label) && writtenTogether.some((scripts) => scripts.test(label));
}
