import { BlockList, isIP, isIPv6 } from 'node:net';

/** A set of IP addresses. */
export type AddressRanges = { has(address: string): boolean };

/** Names of ranges that TRUSTED_PROXIES may use: RFC 1122 (loopback), RFC 1918 and RFC 4193 (private). */
const named: Record<string, readonly string[]> = {
  none: [],
  loopback: ['127.0.0.0/8', '::1'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** A shorter prefix covers addresses of strangers, as 0.0.0.0/0 does: in IPv6 outside RFC 4193, or as mapped IPv4. */
function shortestPrefix(text: string): number {
  if (!isIPv6(text)) return 8;
  if (text.startsWith('::')) return 104;
  return /^f[cd]/i.test(text) ? 7 : 16;
}

/**
 * The canonical form of an address as sockets and proxies write it: with a port, in brackets, with a zone, an IPv4
 * address mapped into IPv6.
 * @returns an IPv4 or IPv6 address; '' for any other text
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
 * Reads a list as `loopback, 10.1.0.0/16, 2001:db8::7`: addresses, CIDR ranges and the names none, loopback, private.
 * @throws Error that names the first item that is none of these, or a range that covers strangers
 */
export function parseAddressRanges(list: string): AddressRanges {
  const block = new BlockList();
  const items = list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  for (const range of items.flatMap((item) => named[item] ?? [item])) {
    const [text = '', prefix, ...rest] = range.split('/');
    const family = isIPv6(text) ? 'ipv6' : 'ipv4';
    const longest = family === 'ipv6' ? 128 : 32;
    const length = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (isIP(text) === 0 || rest.length > 0 || !(length <= longest)) {
      throw new Error(
        `names "${range}", which is no address, no CIDR range and none of ${Object.keys(named).join(', ')}`,
      );
    }
    if (length < shortestPrefix(text)) throw new Error(`names ${range}, which covers addresses of other people`);
    block.addSubnet(text, length, family);
  }
  return { has: (address) => address !== '' && block.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') };
}

/** Whether a host name or address is this machine itself. */
export function isLoopbackHost(host: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host);
}
