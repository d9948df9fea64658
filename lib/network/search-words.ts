import { removeFormatCharacters } from './visible-text';
import { getComparedHost, isPublicHost, parseWebAddress } from './web-address';

/**
 * Normalizes a search: composed (NFC), without characters that are not shown; of a web address only the host, as a person
 * pastes the address of an article to find its website.
 */
export function normalizeSearch(text: string): string {
  const query = removeFormatCharacters(text.normalize('NFC')).trim();
  const url = parseWebAddress(query.replace(/^[^\p{L}\p{N}/]+|[^\p{L}\p{N}/]+$/gu, ''))?.url;
  return url && isPublicHost(url.hostname) ? getComparedHost(url) : query;
}

/** Splits a search into normalized words. Each of them must occur in the name or the address of a site. */
export const splitSearchWords = (text: string | undefined): string[] =>
  (text ?? '')
    .split(/\s+/)
    .map(normalizeSearch)
    .filter((word) => word !== '');

/** Lists the spellings of a normalized search: an address in other letters than ASCII is stored in these or encoded. */
export function listSpellings(search: string): string[] {
  const encoded = /[^\0-\x7f]/.test(search) ? parseWebAddress(search)?.url.hostname : undefined;
  return encoded && isPublicHost(encoded) ? [search, encoded] : [search];
}
