/** The maximum length of a site's URL, and in bytes, because an index holds it (db/schema/sites.ts). */
const maxLength = 500;
const maxBytes = 1_000;
/** A host name that can be registered: several labels, the last one of letters; no bare name and no IP address. */
const publicHost = /^([\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+(\p{L}{2,63}|xn--[a-z0-9-]{2,59})\.?$/u;

/**
 * Parses a site's URL from a form or a file. Adds https:// if the scheme is missing. Only accepts http and https URLs
 * with a public host, so that a link can neither run a script nor open a file.
 * @returns the URL, or null if it is invalid
 */
export function parseSiteUrl(typed: string): string | null {
  const text = typed.trim();
  const address = /^https?:\/\//i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`;
  // The URL parser silently removes line breaks and converts backslashes, so the stored URL would differ from the link.
  if (
    address.length > maxLength ||
    Buffer.byteLength(address) > maxBytes ||
    /[\s\p{Cc}\\]/u.test(address) ||
    !URL.canParse(address)
  )
    return null;
  const { hostname, username, password } = new URL(address);
  // Rejects "mailto:me@example.com", which parses as a user name after https://, and credentials that disguise the host.
  if (username || password) return null;
  return publicHost.test(hostname) ? address : null;
}

/**
 * Normalizes a URL for the uniqueness of a site: without scheme, www, case, trailing slash and fragment. Keeps the query,
 * because it identifies the page on some sites.
 * @param url with or without a scheme
 */
export function normalizeSiteUrl(url: string): string {
  return url
    .trim()
    .toLowerCase()
    .replace(/#.*$/s, '')
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/+$/, '');
}
