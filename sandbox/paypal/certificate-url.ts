import type { SigningKey } from '@/sandbox/keys/records';

/** Returns the URL of the certificate for PayPal's webhook signatures. @param origin origin of the PayPal port */
export function certificateUrl(origin: string, key: SigningKey): string {
  return `${origin}/v1/notifications/certs/CERT-360caa42-fca2a594-${key.serial.slice(0, 8).toLowerCase()}`;
}
