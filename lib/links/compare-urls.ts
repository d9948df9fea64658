import { canParseUrl } from '@/lib/network/can-parse-url';
import { isTrackingParameter } from './tracking-parameters';

const maxLength = 65_536;

/**
 * Returns a form of a web address that is equal for addresses that a visitor would call the same page. Ignored are:
 * http or https; `www.` in front; the dot behind a name; the default port; a slash at the end of the path; the
 * fragment; parameters that only track, and the order of others with different names; unneeded percent-encoding. Names
 * with other letters and their ASCII form are equal. The case of the path and of parameters counts.
 * @returns null for anything that is not http or https, and for addresses that browsers do not support either
 */
export function normalizePageUrl(text: string): string | null {
  if (text.length > maxLength || !canParseUrl(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  const host = url.hostname.replace(/\.$/, '').replace(/^www\.(?=[^.]+\.)/, '');
  const port = url.port === '80' || url.port === '443' ? '' : url.port;
  const query = url.search
    .slice(1)
    .split('&')
    .filter(Boolean)
    .map(readParameter)
    .filter(({ name }) => !isTrackingParameter(name))
    // Repeated parameters keep their order.
    .sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)))
    .map(({ pair }) => pair);
  let path = normalizeEncoding(url.pathname);
  // A regular expression would need quadratic time for many slashes.
  while (path.endsWith('/')) path = path.slice(0, -1);
  return `${host}${port && `:${port}`}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

/** Checks whether two addresses are the same page for {@link normalizePageUrl}. */
export function isSamePage(one: string, other: string): boolean {
  const normalized = normalizePageUrl(one);
  return normalized !== null && normalized === normalizePageUrl(other);
}

/**
 * Reads a parameter of a query. A plus sign is a space, as forms write it. Of the reserved characters only & = + # and %
 * have a meaning there: the others are equal to their encoded form.
 */
function readParameter(text: string): { name: string; pair: string } {
  const pair = normalizeEncoding(text.replaceAll('+', '%20'), /[\w.~!$'()*,/:;?@[\]-]/);
  return { name: pair.split('=', 1)[0] ?? '', pair };
}

/** Decodes what needs no encoding, by default what RFC 3986, 2.3 lists, and writes the rest in upper case. */
function normalizeEncoding(text: string, plain = /[\w.~-]/): string {
  return text.replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return plain.test(character) ? character : code.toUpperCase();
  });
}
