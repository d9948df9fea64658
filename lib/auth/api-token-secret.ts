import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * `lm_`, 256 random bits in 43 base-62 digits, and their CRC-32 in 6. The prefix and the checksum let secret scanners
 * find leaked tokens without false alarms, and let the server refuse a mistyped one without a query.
 */
const shape = /^lm_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** Creates the secret of an API token. */
export function newTokenSecret(): string {
  const random = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43);
  return `lm_${random}${checksumOf(random)}`;
}

/** Checks whether a bearer token is meant as an API token; the tokens of sessions begin with `eyJ`. */
export function isTokenSecret(bearer: string): boolean {
  return bearer.startsWith('lm_');
}

/** Checks whether a text has the shape of a secret, including its checksum. */
export function isWellFormedSecret(text: string): boolean {
  const [, random = '', checksum] = shape.exec(text) ?? [];
  return checksum !== undefined && checksum === checksumOf(random);
}

/** Returns the SHA-256 in hex. A slow hash protects passwords, which can be guessed; 256 random bits cannot. */
export function hashTokenSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

const checksumOf = (random: string) => toBase62(BigInt(crc32(random)), 6);

function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let left = value; text.length < length; left /= 62n) text = digits.charAt(Number(left % 62n)) + text;
  return text;
}
