import { X509Certificate } from 'node:crypto';
import type { ProviderMode } from '../../db/schema/topups';
import { ProviderError } from './provider';

const fetchMs = 8_000;
const largestBytes = 20_000;
/** Anybody can name addresses that lead nowhere: so many are asked for at once, and no more. */
const mostAtOnce = 4;
const mostProven = 20;
/** An address without a certificate is not asked again for this long. */
const emptyMs = 60_000;
const mostEmpty = 500;

/** Nobody else can put a certificate there. */
const hosts: Partial<Record<ProviderMode, readonly string[]>> = {
  live: ['api.paypal.com', 'api-m.paypal.com'],
  sandbox: ['api.sandbox.paypal.com', 'api-m.sandbox.paypal.com'],
};
const path = /^\/v1\/notifications\/certs\/CERT-[A-Za-z0-9-]{1,80}$/;

/**
 * The address of a certificate of PayPal's, as a notification names it; null for any other.
 * @param gateway the sandbox gateway's address, in demo and tests only; then its certificates count and no others
 */
export function certificateUrl(given: string, mode: ProviderMode, gateway: string | undefined): string | null {
  if (given.length > 300 || !URL.canParse(given)) return null;
  const url = new URL(given);
  const isOurs = gateway
    ? url.origin === new URL(gateway).origin
    : url.protocol === 'https:' && url.port === '' && (hosts[mode]?.includes(url.hostname) ?? false);
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isOurs && isPlain && path.test(url.pathname) ? url.href : null;
}

/** By address; PayPal gives a new certificate a new one. Only what a signature proved stays: nobody can crowd it out. */
const proven = new Map<string, X509Certificate>();
const asked = new Map<string, Promise<X509Certificate | null>>();
/** Addresses without a certificate, and until when that is believed. */
const empty = new Map<string, number>();

/**
 * The certificate at an address that `certificateUrl` let through.
 * @returns null where there is none in force
 * @throws ProviderError when PayPal does not answer, or too many are asked for already
 */
export async function certificateAt(url: string): Promise<X509Certificate | null> {
  const certificate = proven.get(url) ?? (await found(url));
  return certificate && isInForce(certificate) ? certificate : null;
}

/** Keeps a certificate that a signature was verified with. */
export function keepCertificate(url: string, certificate: X509Certificate): void {
  proven.delete(url);
  proven.set(url, certificate);
  trim(proven, mostProven);
}

const isInForce = ({ validFrom, validTo }: X509Certificate) =>
  Date.parse(validFrom) <= Date.now() && Date.now() <= Date.parse(validTo);

async function found(url: string): Promise<X509Certificate | null> {
  if (Date.now() < (empty.get(url) ?? 0)) return null;
  const underWay = asked.get(url);
  if (underWay) return underWay;
  if (asked.size >= mostAtOnce) throw new ProviderError('PayPal is asked for too many certificates already');
  const asking = fetchCertificate(url).finally(() => asked.delete(url));
  asked.set(url, asking);
  const certificate = await asking;
  if (certificate === null) {
    empty.delete(url);
    empty.set(url, Date.now() + emptyMs);
    trim(empty, mostEmpty);
  }
  return certificate;
}

function trim<Value>(map: Map<string, Value>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

async function fetchCertificate(url: string): Promise<X509Certificate | null> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(fetchMs) });
    if (response.status >= 500) throw new ProviderError(`PayPal’s certificate: answer ${response.status}`);
    const text = response.ok ? await readSmall(response) : null;
    if (!response.ok) await response.body?.cancel();
    return text === null ? null : parsed(text);
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    throw new ProviderError('PayPal’s certificate could not be fetched', { cause });
  }
}

/** Null for an answer that is larger than a certificate is; the rest of it is not read. */
async function readSmall(response: Response): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > largestBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parsed(text: string): X509Certificate | null {
  try {
    return new X509Certificate(text);
  } catch {
    return null;
  }
}
