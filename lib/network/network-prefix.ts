import { isIPv6 } from 'node:net';

/**
 * Returns the part of an address that rate limits count: a whole IPv4 address, or the first 64 bits of an IPv6 address,
 * because a single customer receives at least that many addresses (RFC 6177).
 * @returns e.g. `192.0.2.7` or `2001:db8:0:1::/64`; any other text unchanged
 */
export function getNetworkPrefix(address: string): string {
  if (!isIPv6(address)) return address;
  const [plain = ''] = address.split('%');
  // The URL parser normalizes the address, in which `::` may appear at any position.
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = canonical.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0');
  return `${[...groups(head), ...zeros, ...groups(tail)].slice(0, 4).join(':')}::/64`;
}
