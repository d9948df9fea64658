import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Secret } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { findTotpStep, newTotpSecret, totpUri } from '@/lib/auth/totp';

/** RFC 6238, appendix B: the secret of the SHA-1 column, and the last six of its eight digits. */
const rfcSecret = Secret.fromUTF8('12345678901234567890').base32;
const vectors: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

/** An independent implementation of RFC 4226 and 6238: the expected code of a step. */
function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', Buffer.from(Secret.fromBase32(secret).bytes))
    .update(counter)
    .digest();
  const offset = mac.readUInt8(19) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

describe('findTotpStep', () => {
  it.each(vectors)('matches the RFC 6238 code at %i s: %s', (seconds, code) => {
    expect(codeOf(rfcSecret, Math.floor(seconds / 30))).toBe(code);
    expect(findTotpStep(rfcSecret, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  it('accepts the codes of the previous, current and next step, and returns the step', () => {
    const moments = fc.integer({ min: 1_000_000_000_000, max: 4_000_000_000_000 });
    fc.assert(
      fc.property(moments, fc.integer({ min: -6, max: 6 }), (now, distance) => {
        const secret = newTotpSecret();
        const step = Math.floor(now / 30_000) + distance;
        const found = findTotpStep(secret, codeOf(secret, step), now);
        // A code may repeat by chance within the window; then the nearer step is correct too.
        if (Math.abs(distance) <= 1) return found !== null && codeOf(secret, found) === codeOf(secret, step);
        return found === null || codeOf(secret, found) === codeOf(secret, step);
      }),
      { numRuns: 300 },
    );
  });

  it('accepts six digits only', () => {
    fc.assert(fc.property(fc.string(), (text) => /^\d{6}$/.test(text) || findTotpStep(rfcSecret, text) === null));
    for (const code of ['', '28708', '2870822', ' 287082', '287082\n', '２８７０８２']) {
      expect(findTotpStep(rfcSecret, code, 59_000), JSON.stringify(code)).toBeNull();
    }
  });

  it('generates secrets of 160 bits and an otpauth URL', () => {
    const secret = newTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const uri = new URL(totpUri(secret, 'ann@example.com', 'LinkMarket'));
    expect(uri.searchParams.get('secret')).toBe(secret);
    expect(uri.searchParams.get('issuer')).toBe('LinkMarket');
  });
});
