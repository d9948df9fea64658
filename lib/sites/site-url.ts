/** The longest address a site may have. */
const maxLength = 500;
/** A host that could be registered: labels, and a last one of letters; no bare name and no IP address. */
const publicHost = /^([\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+(\p{L}{2,63}|xn--[a-z0-9-]{2,59})\.?$/u;

/**
 * A site's address as somebody typed it: https:// is put in front when it has no scheme, and only web addresses with a
 * public host are taken, so that no link on a screen can run a script or open a file. Forms and imports read it here.
 * @returns the address, or null when it is none
 */
export function readSiteUrl(typed: string): string | null {
  const text = typed.trim();
  const address = /^https?:\/\//i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`;
  // The parser would silently drop line breaks and repair backslashes: what is stored must be what is opened.
  if (address.length > maxLength || /[\s\p{Cc}\\]/u.test(address) || !URL.canParse(address)) return null;
  const { hostname, username, password } = new URL(address);
  // "mailto:me@example.com" behind https:// reads as a user name: nobody means that, and it disguises where it leads.
  if (username || password) return null;
  return publicHost.test(hostname) ? address : null;
}

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
