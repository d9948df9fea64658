import type { SigningKey } from '../keys/records';

/** Where the certificate lies that PayPal's webhooks are signed with. @param origin of the PayPal port */
export function certificateUrl(origin: string, key: SigningKey): string {
  return `${origin}/v1/notifications/certs/CERT-360caa42-fca2a594-${key.serial.slice(0, 8).toLowerCase()}`;
}
