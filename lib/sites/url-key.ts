/**
 * What makes two spellings of an address one site (decision 16): without scheme, www, case, trailing slash and
 * fragment. A query stays: on some sites it is the page.
 * @param url with or without a scheme
 */
export function urlKey(url: string): string {
  return url
    .trim()
    .toLowerCase()
    .replace(/#.*$/s, '')
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/+$/, '');
}
