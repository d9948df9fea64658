import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { env } from '@/lib/env';
import { type AddressRanges, parseAddress } from '@/lib/network/addresses';

/** Carries the client's address to the handlers of a request, together with a token of this process. */
export const clientIpHeader = 'x-linkmarket-caller';

// On globalThis, because the instrumentation and the route handlers are bundled separately.
const holder: typeof globalThis & { linkmarketCallerToken?: string } = globalThis;

/** Returns a token that is random per process, so that a client cannot forge the header. */
function getProcessToken(): string {
  holder.linkmarketCallerToken ??= randomBytes(16).toString('hex');
  return holder.linkmarketCallerToken;
}

/**
 * Resolves the address of the client. Starts at the peer of the connection and follows X-Forwarded-For from the right
 * as long as the address is a trusted proxy. Each proxy appends the address of its client, so entries further left may
 * be forged.
 * @param peer the address at the other end of the connection
 * @returns a canonical IPv4 or IPv6 address; '' when the peer is unknown
 */
export function resolveClientIp(peer: string, forwardedFor: string, trusted: AddressRanges): string {
  const entries = forwardedFor.split(',').map((entry) => entry.trim());
  let caller = parseAddress(peer);
  while (trusted.has(caller)) {
    const entry = entries.pop();
    if (entry === '') continue;
    const next = parseAddress(entry ?? '');
    // No entry left, or an invalid one: the last proxy is the best known address.
    if (next === '') break;
    caller = next;
  }
  return caller;
}

/**
 * Writes the client's address into the headers of a new request, for `clientIp`, and removes forwarding headers that no
 * trusted proxy has set. A request that this process sent to itself keeps the address of the original request.
 * @param peer the address at the other end of the connection; undefined when it is already closed
 * @returns whether forwarding headers were removed
 */
export function setClientIp(headers: IncomingHttpHeaders, peer: string | undefined): boolean {
  // Next.js forwards a server action of another page to its own process: the original request counts.
  if (String(headers[clientIpHeader] ?? '').startsWith(`${getProcessToken()} `)) return false;
  const { TRUSTED_PROXIES, VERCEL } = env();
  const forwarded = Object.keys(headers).filter((name) => /^(x-forwarded-.*|forwarded|x-real-ip)$/.test(name));
  const forwardedFor = String(headers['x-forwarded-for'] ?? '');
  const caller = VERCEL
    ? resolveVercelClientIp(forwardedFor)
    : resolveClientIp(peer ?? '', forwardedFor, TRUSTED_PROXIES);
  headers[clientIpHeader] = `${getProcessToken()} ${caller}`;
  if (VERCEL || TRUSTED_PROXIES.has(parseAddress(peer ?? ''))) return false;
  for (const name of forwarded) delete headers[name];
  return forwarded.length > 0;
}

/**
 * Returns the client's address, as `setClientIp` resolved it.
 * @returns an IPv4 or IPv6 address without port; '' when unknown
 */
export function clientIp(headers: Pick<Headers, 'get'>): string {
  const [token, address = ''] = (headers.get(clientIpHeader) ?? '').split(' ');
  if (token === getProcessToken()) return address;
  return env().VERCEL ? resolveVercelClientIp(headers.get('x-forwarded-for') ?? '') : '';
}

/** Reads X-Forwarded-For, which Vercel's proxy replaces ("Request headers"); functions have no connection for it. */
function resolveVercelClientIp(forwardedFor: string): string {
  const entries = forwardedFor.split(',');
  const peer = entries.pop() ?? '';
  return resolveClientIp(peer.trim(), entries.join(','), env().TRUSTED_PROXIES);
}
