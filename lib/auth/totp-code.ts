import { Secret, TOTP } from 'otpauth';

/** RFC 6238 as every authenticator app has it: SHA-1, 6 digits, 30 seconds. */
export const stepSeconds = 30;

/** One step of clock difference either way. */
const drift = 1;

/** How many codes are right at any moment. */
export const acceptedSteps = 2 * drift + 1;

const generator = (secret: string, label = '', issuer = '') =>
  new TOTP({ secret: Secret.fromBase32(secret), label, issuer, digits: 6, period: stepSeconds, algorithm: 'SHA1' });

/** A new secret: 160 bits in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The otpauth:// address an authenticator app reads from the QR code. */
export function totpUri(secret: string, account: string, issuer: string): string {
  return generator(secret, account, issuer).toString();
}

/**
 * @param now milliseconds since 1970
 * @returns the 30-second step the code belongs to, or null when it is wrong or too old; a caller takes a step only once
 */
export function totpStepOf(secret: string, code: string, now = Date.now()): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = generator(secret).validate({ token: code, timestamp: now, window: drift });
  return delta === null ? null : Math.floor(now / 1000 / stepSeconds) + delta;
}
