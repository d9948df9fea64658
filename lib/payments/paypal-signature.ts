import { verify } from 'node:crypto';
import type { ProviderMode } from '../../db/schema/topups';
import { crc32 } from './crc32';
import { certificateAt, certificateUrl, keepCertificate } from './paypal-certificates';

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
