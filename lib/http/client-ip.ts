import { isIP, isIPv6 } from 'node:net';
import { env } from '../env';

/**
 * The caller's address, as the outermost of our own proxies reports it: of X-Forwarded-For the entry that
 * TRUSTED_PROXY_HOPS counts to from the right. Each proxy (nginx, Vercel) appends whom it was called by, so what stands
 * further left a caller may have made up.
 * @returns an IPv4 or IPv6 address, without port; empty when nobody said one, or none is to be believed
 */
export function clientIp(headers: Pick<Headers, 'get'>, hops = env().TRUSTED_PROXY_HOPS): string {
  if (hops === 0) return '';
  const entries = (headers.get('x-forwarded-for') ?? '').split(',').map((entry) => entry.trim());
  // Fewer entries than proxies: somebody called an inner one, whose entry is then the only one.
  return addressIn(entries.at(-hops) ?? entries[0] ?? '');
}

/** An address in the dress that proxies give it: with a port, in brackets, an IPv4 one as IPv6. */
function addressIn(entry: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
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
