import { isIPv6 } from 'node:net';
import { env } from '../env';
import { clientIp } from '../http/client-ip';
import { networkOf } from '../limits/network-of';

/**
 * The caller's address as LOG_ADDRESSES lets a log have it: whole, its network only (an IPv4 address without its last
 * byte, the first 64 bits of an IPv6 one), or not at all.
 * @returns undefined where it is turned off or not known, so that the line has no such field
 */
export function addressForLog(request: { headers: NodeJS.Dict<string | string[]> }): string | undefined {
  const { LOG_ADDRESSES } = env();
  if (LOG_ADDRESSES === 'off') return undefined;
  const address = clientIp({ get: (name) => request.headers[name]?.toString() ?? null });
  if (address === '') return undefined;
  if (LOG_ADDRESSES === 'full') return address;
  return isIPv6(address) ? networkOf(address) : address.replace(/\.\d+$/, '.0');
}
