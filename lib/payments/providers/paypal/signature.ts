import { verify, X509Certificate } from 'node:crypto';
import type { ProviderMode } from '@/db/schema/topups';
import { ProviderError } from '../provider';

/** PayPal repeats a notification for three days; one from before that is no repetition. */
const oldestMs = 3 * 24 * 60 * 60 * 1000;
const clockSkewMs = 5 * 60 * 1000;

type Expected = {
  /** Of the webhook as PayPal knows it: a notification for another one does not pass. */
  webhookId: string;
  mode: ProviderMode;
  /** The sandbox gateway's address, in demo and tests only; then its certificates count and no others. */
  gateway: string | undefined;
};

/**
 * Is this notification signed by PayPal for this webhook? Checked here, without asking PayPal, over the bytes as they
 * came. A replay passes as long as PayPal itself might repeat it: events and payments count once by their names.
 * @throws ProviderError when PayPal's certificate could not be fetched, so that PayPal sends it again
 */
export async function isSignedByPayPal(
  raw: Buffer,
  headers: Pick<Headers, 'get'>,
  { webhookId, mode, gateway }: Expected,
): Promise<boolean> {
  const header = (name: string) => headers.get(`paypal-${name}`) ?? '';
  const sentAt = Date.parse(header('transmission-time'));
  const age = Date.now() - sentAt;
  if (!(age < oldestMs && age > -clockSkewMs) || header('auth-algo') !== 'SHA256withRSA') return false;
  const url = certificateUrl(header('cert-url'), mode, gateway);
  const certificate = url && (await certificateAt(url));
  if (!certificate) return false;
  const signed = [header('transmission-id'), header('transmission-time'), webhookId, crc32(raw)].join('|');
  const signature = Buffer.from(header('transmission-sig'), 'base64');
  const isSigned = verify('RSA-SHA256', Buffer.from(signed), certificate.publicKey, signature);
  if (isSigned) keepCertificate(url, certificate);
  return isSigned;
}

/** The remainder of each byte, by the reversed polynomial of CRC-32 (ISO 3309). */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb8_8320 : rest >>> 1;
  return rest;
});

/**
 * CRC-32 of some bytes as an unsigned number, as PayPal puts it into what it signs. Written here because node:zlib has
 * one only in Node releases after the oldest that this project runs on.
 */
export function crc32(bytes: Uint8Array): number {
  let rest = 0xffff_ffff;
  for (const byte of bytes) rest = (rest >>> 8) ^ (table[(rest ^ byte) & 0xff] ?? 0);
  return (rest ^ 0xffff_ffff) >>> 0;
}

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
function certificateUrl(given: string, mode: ProviderMode, gateway: string | undefined): string | null {
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
async function certificateAt(url: string): Promise<X509Certificate | null> {
  const certificate = proven.get(url) ?? (await found(url));
  return certificate && isInForce(certificate) ? certificate : null;
}

/** Keeps a certificate that a signature was verified with. */
function keepCertificate(url: string, certificate: X509Certificate): void {
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
