import { verify, X509Certificate } from 'node:crypto';
import type { ProviderMode } from '@/db/schema/topups';
import { canParseUrl } from '@/lib/network/can-parse-url';
import { ProviderError } from '@/lib/payments/providers/provider';
import { cacheNewest, readLimited } from '@/lib/payments/providers/provider-calls';

/** PayPal repeats a webhook event for three days; an older one is not a repetition. */
const maxAgeMs = 3 * 24 * 60 * 60 * 1000;
const clockSkewMs = 5 * 60 * 1000;

type Expected = {
  /** The webhook's id at PayPal: an event for another webhook is rejected. */
  webhookId: string;
  mode: ProviderMode;
  /** The sandbox's URL, in demo and tests only; then only its certificates are accepted. */
  gateway: string | undefined;
};

/**
 * Verifies that PayPal signed a webhook event for this webhook. The check is local, over the raw bytes, without a
 * request to PayPal's verification API. A replay is accepted as long as PayPal itself might repeat the event: events
 * and payments are unique by their ids.
 * @throws ProviderError when PayPal's certificate cannot be fetched, so that PayPal repeats the event
 */
export async function isSignedByPayPal(
  raw: Buffer,
  headers: Pick<Headers, 'get'>,
  { webhookId, mode, gateway }: Expected,
): Promise<boolean> {
  const header = (name: string) => headers.get(`paypal-${name}`) ?? '';
  const sentAt = Date.parse(header('transmission-time'));
  const age = Date.now() - sentAt;
  if (!(age < maxAgeMs && age > -clockSkewMs) || header('auth-algo') !== 'SHA256withRSA') return false;
  const url = parseCertificateUrl(header('cert-url'), mode, gateway);
  const certificate = url && (await findValidCertificate(url));
  if (!certificate) return false;
  const signed = [header('transmission-id'), header('transmission-time'), webhookId, crc32(raw)].join('|');
  const signature = Buffer.from(header('transmission-sig'), 'base64');
  const isSigned = verify('RSA-SHA256', Buffer.from(signed), certificate.publicKey, signature);
  if (isSigned) cacheNewest(verifiedCertificates, url, certificate, maxVerified);
  return isSigned;
}

/** Remainder of each byte for the reversed polynomial of CRC-32 (ISO 3309). */
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb8_8320 : rest >>> 1;
  return rest;
});

/**
 * Computes the CRC-32 of bytes as an unsigned number, which is part of the signed text. Implemented here because
 * `zlib.crc32` is missing in the oldest supported Node.js release.
 */
export function crc32(bytes: Uint8Array): number {
  let rest = 0xffff_ffff;
  for (const byte of bytes) rest = (rest >>> 8) ^ (crcTable[(rest ^ byte) & 0xff] ?? 0);
  return (rest ^ 0xffff_ffff) >>> 0;
}

const fetchTimeoutMs = 8_000;
const maxBytes = 20_000;
/** A forged event can name any certificate URL, so concurrent fetches are limited. */
const maxConcurrentFetches = 4;
const maxVerified = 20;
/** A URL without a certificate is not fetched again for this time. */
const missTtlMs = 60_000;
const maxMisses = 500;

/** Hosts whose certificates only PayPal controls. */
const hosts: Partial<Record<ProviderMode, readonly string[]>> = {
  live: ['api.paypal.com', 'api-m.paypal.com'],
  sandbox: ['api.sandbox.paypal.com', 'api-m.sandbox.paypal.com'],
};
const path = /^\/v1\/notifications\/certs\/CERT-[A-Za-z0-9-]{1,80}$/;

/**
 * Returns the certificate URL of an event, or null unless it is one of PayPal's.
 * @param gateway the sandbox's URL, in demo and tests only; then only its certificates are accepted
 */
function parseCertificateUrl(input: string, mode: ProviderMode, gateway: string | undefined): string | null {
  if (input.length > 300 || !canParseUrl(input)) return null;
  const url = new URL(input);
  const isOurs = gateway
    ? url.origin === new URL(gateway).origin
    : url.protocol === 'https:' && url.port === '' && (hosts[mode]?.includes(url.hostname) ?? false);
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isOurs && isPlain && path.test(url.pathname) ? url.href : null;
}

/**
 * Cache by URL; PayPal publishes a new certificate under a new URL. Only certificates that verified a signature are
 * stored, so forged events cannot evict them.
 */
const verifiedCertificates = new Map<string, X509Certificate>();
const pendingFetches = new Map<string, Promise<X509Certificate | null>>();
/** URLs without a certificate, with the expiry of each entry. */
const misses = new Map<string, number>();

/**
 * Returns the certificate at a URL accepted by `parseCertificateUrl`.
 * @returns null when there is no certificate, or it is not valid now
 * @throws ProviderError when PayPal does not respond, or too many fetches are pending
 */
async function findValidCertificate(url: string): Promise<X509Certificate | null> {
  const certificate = verifiedCertificates.get(url) ?? (await loadCertificate(url));
  return certificate && isValidNow(certificate) ? certificate : null;
}

const isValidNow = ({ validFrom, validTo }: X509Certificate) =>
  Date.parse(validFrom) <= Date.now() && Date.now() <= Date.parse(validTo);

async function loadCertificate(url: string): Promise<X509Certificate | null> {
  if (Date.now() < (misses.get(url) ?? 0)) return null;
  const pending = pendingFetches.get(url);
  if (pending) return pending;
  if (pendingFetches.size >= maxConcurrentFetches)
    throw new ProviderError('Too many PayPal certificates are being fetched');
  const fetching = fetchCertificate(url).finally(() => pendingFetches.delete(url));
  pendingFetches.set(url, fetching);
  const certificate = await fetching;
  if (certificate === null) cacheNewest(misses, url, Date.now() + missTtlMs, maxMisses);
  return certificate;
}

async function fetchCertificate(url: string): Promise<X509Certificate | null> {
  try {
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(fetchTimeoutMs) });
    if (response.status >= 500) throw new ProviderError(`PayPal’s certificate: status ${response.status}`);
    const found = response.ok ? await readLimited(response, maxBytes) : null;
    if (!response.ok) await response.body?.cancel();
    return found === null ? null : parseCertificate(found.toString('utf8'));
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    throw new ProviderError('PayPal’s certificate could not be fetched', { cause });
  }
}

function parseCertificate(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}
