import { getDomain } from 'tldts';
import { canParseUrl } from './can-parse-url';

/** Returns the domain that its owner registered, also below the suffix of a host of blogs; for an IP address, itself. */
export function getRegistrableDomain(url: string): string {
  // The URL parser converts names with other letters to ASCII, as links contain either form.
  const host = canParseUrl(url) ? new URL(url).hostname : url;
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}
