import { BlockList, isIP, isIPv6 } from 'node:net';

/** A set of IP addresses. */
export type AddressRanges = { has(address: string): boolean };

/** Names of ranges for TRUSTED_PROXIES: RFC 1122 (loopback), RFC 1918 and RFC 4193 (private). */
const namedRanges: Record<string, readonly string[]> = {
  none: [],
  loopback: ['127.0.0.0/8', '::1'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Returns the shortest accepted prefix: a shorter one would include addresses of third parties, as 0.0.0.0/0 does. */
function shortestPrefix(text: string): number {
  if (!isIPv6(text)) return 8;
  if (text.startsWith('::')) return 104;
  return /^f[cd]/i.test(text) ? 7 : 16;
}

/**
 * Parses an address as sockets and proxies write it: with a port, in brackets, with a zone, or an IPv4 address mapped
 * into IPv6.
 * @returns the canonical IPv4 or IPv6 address; '' for any other text
 */
export function parseAddress(text: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const [address = ''] = bare.split('%');
  if (isIP(address) === 0) return '';
  if (!isIPv6(address)) return address;
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(canonical);
  if (!mapped) return canonical;
  const bytes = mapped.slice(1).flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
  return bytes.join('.');
}

/**
 * Parses a list such as `loopback, 10.1.0.0/16, 2001:db8::7`: addresses, CIDR ranges and the names none, loopback and
 * private.
 * @throws Error naming the first invalid item, or a range that includes public addresses of third parties
 */
export function parseAddressRanges(list: string): AddressRanges {
  const block = new BlockList();
  const items = list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  for (const range of items.flatMap((item) => namedRanges[item] ?? [item])) {
    const parsed = parseCidr(range);
    if (!parsed) {
      throw new Error(
        `contains "${range}", which is not an address, a CIDR range or one of ${Object.keys(namedRanges).join(', ')}`,
      );
    }
    const { address, length, family } = parsed;
    if (length < shortestPrefix(address)) throw new Error(`contains ${range}, which covers public addresses`);
    block.addSubnet(address, length, family);
  }
  return toRanges(block);
}

/**
 * Creates the set of a list of addresses and CIDR ranges, of any length. Texts that are neither are ignored. A range of
 * IPv6 contains no IPv4 address: one list for both would also match it in its mapped form.
 */
export function createAddressRanges(list: readonly string[]): AddressRanges {
  const blocks = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of list) {
    const parsed = parseCidr(range);
    if (parsed) blocks[parsed.family].addSubnet(parsed.address, parsed.length, parsed.family);
  }
  const sets = { ipv4: toRanges(blocks.ipv4), ipv6: toRanges(blocks.ipv6) };
  return { has: (address) => sets[isIPv6(address) ? 'ipv6' : 'ipv4'].has(address) };
}

const toRanges = (block: BlockList): AddressRanges => ({
  has: (address) => address !== '' && block.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'),
});

/**
 * Parses an address or a CIDR range.
 * @returns null for any other text
 */
export function parseCidr(range: string): { address: string; length: number; family: 'ipv4' | 'ipv6' } | null {
  const [address = '', prefix, ...rest] = range.split('/');
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  const longest = family === 'ipv6' ? 128 : 32;
  const length = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (isIP(address) === 0 || rest.length > 0 || !(length <= longest)) return null;
  return { address, length, family };
}

/** Checks whether a host name or address refers to this machine. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host);
}

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
