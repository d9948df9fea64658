/** The longest address browsers and crawlers agree on. */
const maxLength = 2048;

/**
 * A live link as an admin types it: https:// is put in front when it has no scheme (spec 001, section 5), and only web
 * addresses are taken, so that no link a buyer presses can run a script or open a file.
 * @returns the address, '' for none, or null when it is no web address
 */
export function normaliseLinkUrl(typed: string): string | null {
  const text = typed.trim();
  if (text === '') return '';
  const address = /^https?:\/\//i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`;
  // The parser would silently drop line breaks and repair backslashes: what is stored must be what is opened.
  if (address.length > maxLength || /[\s\p{Cc}\\]/u.test(address) || !URL.canParse(address)) return null;
  const { hostname, username, password } = new URL(address);
  // "mailto:me@example.com" behind https:// reads as a user name: nobody means that, and it disguises where it leads.
  if (username || password) return null;
  const hadScheme = address === text;
  return hadScheme || hostname.includes('.') ? address : null;
}
