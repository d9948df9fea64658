import { createHmac, hkdfSync } from 'node:crypto';
import { env } from '@/lib/env';
import { type KeyRing, parseKeyRing } from '@/lib/platform/secrets';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** 130 bits. */
const tokenLength = 26;

type Claim = { sellerId: string; domain: string };

/** Creates the token that proves a domain for a seller, with the first of SECRET_KEYS. It is stored nowhere. */
export function createOwnershipToken(claim: Claim, ring: KeyRing = parseKeyRing(env().SECRET_KEYS)): string {
  const [first] = ring;
  if (!first) throw new Error('SECRET_KEYS contains no key.');
  return computeToken(claim, first.key);
}

/**
 * Creates the check of texts for a seller's token of a domain, by any key of SECRET_KEYS, so that tokens stay valid while
 * their key is in the ring, and regardless of case, as people retype tokens. The time of a comparison tells nothing: only
 * the seller can have texts checked, and is shown the token.
 */
export function createTokenCheck(claim: Claim, ring: KeyRing = parseKeyRing(env().SECRET_KEYS)) {
  const tokens = new Set(ring.map(({ key }) => computeToken(claim, key)));
  return (text: string): boolean => tokens.has(text.trim().toUpperCase());
}

function computeToken({ sellerId, domain }: Claim, key: Buffer): string {
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'linkmarket ownership 1', 32));
  const digest = createHmac('sha256', derived).update(`ownership:${sellerId}:${domain}`).digest();
  return toBase32(digest).slice(0, tokenLength);
}

/** Encodes bytes in base32 (RFC 4648) without padding. */
function toBase32(bytes: Uint8Array): string {
  let [text, bits, held] = ['', 0, 0];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(held >> bits) & 31];
      held &= (1 << bits) - 1;
    }
  }
  return text;
}
