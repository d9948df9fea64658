import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSecret, parseKeyRing, sealSecret } from '@/lib/platform/secrets';

const slot = { provider: 'stripe', mode: 'test', field: 'secret_key' };
const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [oldKey, freshKey] = [newKey('k1'), newKey('k2')];
const ring = parseKeyRing(oldKey);

describe('a sealed secret', () => {
  it('has the form v1.<key id>.<iv>.<tag>.<ciphertext> and does not contain the plaintext', () => {
    const sealed = sealSecret(slot, 'sk_test_abc', ring);
    const [version, id, iv, tag, text] = sealed.split('.');
    expect([version, id]).toEqual(['v1', 'k1']);
    expect(Buffer.from(iv ?? '', 'base64url')).toHaveLength(12);
    expect(Buffer.from(tag ?? '', 'base64url')).toHaveLength(16);
    expect(Buffer.from(text ?? '', 'base64url')).toHaveLength('sk_test_abc'.length);
    expect(sealed).not.toContain('sk_test');
  });

  it('opens to the sealed value, and has a different ciphertext each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), fc.string(), fc.string(), (secret, mode, field) => {
        const place = { provider: 'stripe', mode, field };
        const sealed = sealSecret(place, secret, ring);
        expect(openSecret(place, sealed, ring)).toBe(secret);
        expect(sealSecret(place, secret, ring)).not.toBe(sealed);
      }),
    );
  });

  it('opens only in its own slot', () => {
    const sealed = sealSecret(slot, 'whsec_1', ring);
    for (const other of [
      { ...slot, provider: 'paypal' },
      { ...slot, mode: 'live' },
      { ...slot, field: 'webhook_secret' },
    ]) {
      expect(() => openSecret(other, sealed, ring)).toThrow('cannot be decrypted');
    }
  });

  it('does not open after any character changed', () => {
    const sealed = sealSecret(slot, 'sk_test_abcdefgh', ring);
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom(...'AQgw.k19_-'), (at, character) => {
        const damaged = sealed.slice(0, at) + character + sealed.slice(at + 1);
        // The last character of a base64 text has unused bits; a change that decodes to the same bytes is ignored.
        const bytes = (text: string) => text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
        fc.pre(JSON.stringify(bytes(damaged)) !== JSON.stringify(bytes(sealed)));
        expect(() => openSecret(slot, damaged, ring)).toThrow('stored secret');
      }),
    );
  });
});

describe('the key ring', () => {
  it('seals with its first key and opens with every key', () => {
    const sealedBefore = sealSecret(slot, 'old', ring);
    const rotated = parseKeyRing(`${freshKey},${oldKey}`);
    expect(openSecret(slot, sealedBefore, rotated)).toBe('old');
    expect(sealSecret(slot, 'new', rotated)).toMatch(/^v1\.k2\./);
  });

  it('names a missing key and not the secret', () => {
    const sealed = sealSecret(slot, 'sk_test_abc', ring);
    expect(() => openSecret(slot, sealed, parseKeyRing(freshKey))).toThrow(
      'The stored secret stripe test secret_key needs the key "k1"',
    );
  });

  it('rejects keys of another length and duplicate ids', () => {
    expect(() => parseKeyRing(`k1:${randomBytes(31).toString('base64')}`)).toThrow('not 32 bytes');
    expect(() => parseKeyRing(`${oldKey},${newKey('k1')}`)).toThrow('twice');
  });

  it('accepts base64url keys too', () => {
    const key = randomBytes(32).toString('base64url');
    expect(parseKeyRing(`a:${key}`)[0]?.key.toString('base64url')).toBe(key);
  });
});
