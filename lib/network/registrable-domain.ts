import { getDomain } from 'tldts';
import { canParseUrl } from './can-parse-url';

/** A domain below the names reserved for examples (RFC 2606), which count as suffixes, as the demo's sites are below them. */
const exampleDomain = /[^.]+\.example\.(?:com|net|org)$/;

/** Returns the domain that its owner registered, also below the suffix of a host of blogs; for an IP address, itself. */
export function getRegistrableDomain(url: string): string {
  // The URL parser converts names with other letters to ASCII, as links contain either form.
  const host = canParseUrl(url) ? new URL(url).hostname : url;
  return exampleDomain.exec(host)?.[0] ?? getDomain(host, { allowPrivateDomains: true }) ?? host;
}
