import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { env } from '../../env';
import { type AddressRanges, parseAddress } from '../../network/addresses';

/** Carries the caller's address from the arrival of a request to its handlers, behind a token of this process. */
const callerHeader = 'x-linkmarket-caller';

// On globalThis, as the instrumentation that notes the caller and the handlers are bundled apart.
const holder: typeof globalThis & { linkmarketCallerToken?: string } = globalThis;

/** A caller cannot know it, so a header that a caller makes up counts for nothing. */
function callerToken(): string {
  holder.linkmarketCallerToken ??= randomBytes(16).toString('hex');
  return holder.linkmarketCallerToken;
}

/**
 * The address that a request comes from. Starts at the peer of the connection and follows X-Forwarded-For from the right
 * as long as the address reached is a trusted proxy: each proxy appends its own caller, so further left stands what a
 * caller may have made up.
 * @param peer the address at the other end of the connection
 * @returns a canonical IPv4 or IPv6 address; '' where the peer is unknown
 */
export function callerAddress(peer: string, forwardedFor: string, trusted: AddressRanges): string {
  const entries = forwardedFor.split(',').map((entry) => entry.trim());
  let caller = parseAddress(peer);
  while (trusted.has(caller)) {
    const entry = entries.pop();
    if (entry === '') continue;
    const next = parseAddress(entry ?? '');
    // No entry left, or one that is no address: the last proxy is all that is known.
    if (next === '') break;
    caller = next;
  }
  return caller;
}

/**
 * Writes the caller's address into the headers of a request that arrives, for `clientIp`, and removes forwarding headers
 * that no trusted proxy has set, so that nothing behind this can believe them. A request that this process sent to
 * itself keeps the address of its first arrival.
 * @param peer the address at the other end of the connection; undefined when it is closed already
 * @returns whether forwarding headers were removed
 */
export function noteCaller(headers: IncomingHttpHeaders, peer: string | undefined): boolean {
  // Next.js sends a server action of another page to its own process again: the first arrival counts.
  if (String(headers[callerHeader] ?? '').startsWith(`${callerToken()} `)) return false;
  const { TRUSTED_PROXIES, VERCEL } = env();
  const forwarded = Object.keys(headers).filter((name) => /^(x-forwarded-.*|forwarded|x-real-ip)$/.test(name));
  const forwardedFor = String(headers['x-forwarded-for'] ?? '');
  const caller = VERCEL ? onVercel(forwardedFor) : callerAddress(peer ?? '', forwardedFor, TRUSTED_PROXIES);
  headers[callerHeader] = `${callerToken()} ${caller}`;
  if (VERCEL || TRUSTED_PROXIES.has(parseAddress(peer ?? ''))) return false;
  for (const name of forwarded) delete headers[name];
  return forwarded.length > 0;
}

/**
 * The caller's address, as `noteCaller` found it.
 * @returns an IPv4 or IPv6 address, without port; '' where it is not known
 */
export function clientIp(headers: Pick<Headers, 'get'>): string {
  const [token, address = ''] = (headers.get(callerHeader) ?? '').split(' ');
  if (token === callerToken()) return address;
  return env().VERCEL ? onVercel(headers.get('x-forwarded-for') ?? '') : '';
}

/** Vercel's own proxy replaces X-Forwarded-For ("Request headers"); no connection says whom a function is called by. */
function onVercel(forwardedFor: string): string {
  const entries = forwardedFor.split(',');
  const peer = entries.pop() ?? '';
  return callerAddress(peer.trim(), entries.join(','), env().TRUSTED_PROXIES);
}
