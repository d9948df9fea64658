import type { SigningKey } from '@/sandbox/keys/records';

const digits = 26;

/** Returns the id of WeChat's public key, which newer merchants use instead of a certificate. */
export function publicKeyId({ serial }: SigningKey): string {
  return `PUB_KEY_ID_01${BigInt(`0x${serial}`).toString().slice(0, digits)}`;
}
