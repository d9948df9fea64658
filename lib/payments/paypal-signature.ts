import { verify, X509Certificate } from 'node:crypto';
import type { ProviderMode } from '../../db/schema/topups';
import { crc32 } from './crc32';
import { ProviderError } from './provider';

/** PayPal repeats a notification for three days; one from before that is no repetition. */
const oldestMs = 3 * 24 * 60 * 60 * 1000;
const clockSkewMs = 5 * 60 * 1000;
const fetchMs = 8_000;
const keptCertificates = 20;
const largestCertificate = 20_000;

/** Nobody else can put a certificate there. */
const certificateHosts: Partial<Record<ProviderMode, readonly string[]>> = {
  live: ['api.paypal.com', 'api-m.paypal.com'],
  sandbox: ['api.sandbox.paypal.com', 'api-m.sandbox.paypal.com'],
};

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
  if (!certificate || !isInForce(certificate)) return false;
  const signed = [header('transmission-id'), header('transmission-time'), webhookId, crc32(raw)].join('|');
  return verify(
    'RSA-SHA256',
    Buffer.from(signed),
    certificate.publicKey,
    Buffer.from(header('transmission-sig'), 'base64'),
  );
}

function certificateUrl(given: string, mode: ProviderMode, gateway: string | undefined): string | null {
  if (!URL.canParse(given)) return null;
  const url = new URL(given);
  const isOurs = gateway
    ? url.origin === new URL(gateway).origin
    : url.protocol === 'https:' && url.port === '' && (certificateHosts[mode]?.includes(url.hostname) ?? false);
  const isPlain = url.username === '' && url.password === '' && url.pathname.startsWith('/v1/notifications/certs/');
  return isOurs && isPlain ? url.href : null;
}

const isInForce = ({ validFrom, validTo }: X509Certificate) =>
  Date.parse(validFrom) <= Date.now() && Date.now() <= Date.parse(validTo);

/** Certificates by address; PayPal gives a new one a new address. */
const certificates = new Map<string, Promise<X509Certificate | null>>();

function certificateAt(url: string): Promise<X509Certificate | null> {
  const known = certificates.get(url);
  if (known) return known;
  const asked = fetchCertificate(url);
  certificates.set(url, asked);
  const forget = () => certificates.delete(url);
  asked.then((found) => found ?? forget(), forget);
  const [oldest] = certificates.keys();
  if (certificates.size > keptCertificates && oldest !== undefined) certificates.delete(oldest);
  return asked;
}

/** Null where there is none. */
async function fetchCertificate(url: string): Promise<X509Certificate | null> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(fetchMs) }).catch((cause) => {
    throw new ProviderError('PayPal’s certificate could not be fetched', { cause });
  });
  if (response.status >= 500) throw new ProviderError(`PayPal’s certificate: answer ${response.status}`);
  const text = await response.text();
  if (!response.ok || text.length > largestCertificate) return null;
  try {
    return new X509Certificate(text);
  } catch {
    return null;
  }
}
