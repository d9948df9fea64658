import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseAddress } from '@/lib/network/addresses';
import { canParseUrl } from '@/lib/network/can-parse-url';

/** Why an address is refused before any connection. */
export type Refusal =
  | 'not_a_url'
  | 'too_long'
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'local_name'
  | 'private_address'
  | 'other_peer';

/** A URL that passed the rules for its text. The addresses of its name are judged after resolving it. */
export type JudgedUrl = {
  url: URL;
  /** The host without a trailing dot and without brackets. */
  host: string;
  port: number;
  /** Whether the host is an IP address instead of a name. */
  isAddress: boolean;
};

/** The longest URL that is requested. Browsers and crawlers support at least this length. */
export const maxUrlLength = 2_048;

/**
 * Names that never belong to a public website: RFC 6761, RFC 6762, RFC 7686, RFC 8375, and `internal`, which ICANN
 * reserves. Resolvers of a private network may answer them. `example.com` is absent, because the sandbox uses it.
 */
const localSuffixes = ['localhost', 'local', 'internal', 'home.arpa', 'onion', 'alt', 'test', 'invalid', 'example'];

/**
 * Public addresses with a special meaning inside a data center: 168.63.129.16 is the host agent of Microsoft Azure,
 * which gives credentials to every program on a virtual machine.
 */
const refusedAddresses = new Set(['168.63.129.16']);

/** Decides whether a URL may be requested, by its text alone. @returns the judged URL, or the reason for a refusal */
export function judgeUrl(text: string): JudgedUrl | Refusal {
  if (text.length > maxUrlLength) return 'too_long';
  if (!canParseUrl(text)) return 'not_a_url';
  const url = new URL(text);
  // The URL parser writes a character of other scripts as up to nine.
  if (url.href.length > maxUrlLength) return 'too_long';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'scheme';
  if (url.username !== '' || url.password !== '') return 'credentials';
  const port = url.port === '' ? defaultPorts[url.protocol] : Number(url.port);
  if (port !== 80 && port !== 443) return 'port';
  // The URL parser already converted decimal, octal, hexadecimal and shortened forms of IPv4 into four numbers, and
  // decoded percent-encoded and full-width characters.
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (host === '' || host.length > 253) return 'not_a_url';
  const isAddress = isIP(host) !== 0;
  if (isAddress) return isPublicAddress(host) ? { url, host, port, isAddress } : 'private_address';
  const isLocal = localSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
  return isLocal || !host.includes('.') ? 'local_name' : { url, host, port, isAddress };
}

const defaultPorts = { 'http:': 80, 'https:': 443 };

/**
 * Checks whether an address belongs to the public internet. An IPv6 address that carries an IPv4 address (mapped, NAT64
 * or 6to4) is public if the inner address is. Local-use NAT64 (RFC 8215), Teredo and every other special range are not.
 * @param text an IPv4 address of four decimal numbers, or an IPv6 address without a zone
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false;
  // ipaddr.js reads ::8.8.8.8, which name servers' libraries write for ::808:808, as a mapped address. The canonical
  // form has one reading, and a mapped address becomes IPv4.
  const address = ipaddr.parse(parseAddress(text));
  if (address instanceof ipaddr.IPv4) return isPublicIpv4(address);
  const bytes = address.toByteArray();
  switch (address.range()) {
    case 'rfc6052':
      // Only the well-known prefix 64:ff9b::/96: a local-use prefix may place the inner address at several positions.
      return bytes.slice(4, 12).every((byte) => byte === 0) && isPublicIpv4(embeddedIpv4(bytes, 12));
    case '6to4':
      return isPublicIpv4(embeddedIpv4(bytes, 2));
    case 'unicast':
      // ipaddr.js calls everything outside its special ranges unicast. Only 2000::/3 is assigned for the internet.
      return ((bytes[0] ?? 0) & 0xe0) === 0x20;
    default:
      return false;
  }
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !refusedAddresses.has(address.toString());
}

function embeddedIpv4(bytes: number[], start: number): ipaddr.IPv4 {
  return new ipaddr.IPv4(bytes.slice(start, start + 4));
}
