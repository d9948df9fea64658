import { isIPv6 } from 'node:net';

/**
 * What of an address is counted: an IPv4 address as it is, of an IPv6 address the first 64 bits. A single customer is
 * given at least that many addresses (RFC 6177), and would else have a new count with each.
 * @returns e.g. `192.0.2.7` or `2001:db8:0:1::/64`; anything that is no address as it is
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [plain = ''] = address.split('%');
  // Written in full first: `::` may stand anywhere, or for nothing.
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = canonical.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0');
  return `${[...groups(head), ...zeros, ...groups(tail)].slice(0, 4).join(':')}::/64`;
}
