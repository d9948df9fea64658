import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { computeThumbprint } from '@/lib/links/passport/keys';
import {
  canonicalize,
  type Proof,
  type ProofKey,
  type ProofStatement,
  parseStatement,
  verifyProof,
} from '@/lib/links/passport/verify-proof';

const statement: ProofStatement = {
  version: 1,
  id: '01jd0000000000000000000000',
  issuer: 'https://links.example.com',
  page: 'https://blog.example.org/post',
  finalUrl: 'https://blog.example.org/post/',
  target: 'https://shop.example.com/?a=1&b=ü',
  rel: 'nofollow sponsored',
  anchor: 'Spaten & “Schaufeln” 🪏\u202e',
  indexable: true,
  verdict: 'ok',
  textHash: 'ab'.repeat(32),
  checkedAt: '2026-11-22T19:30:00.000Z',
  audit: { position: 42, hash: '0f'.repeat(32) },
};

const jwk = z.object({ x: z.string(), d: z.string() });

function makeKey(privateKey: KeyObject = generateKeyPairSync('ed25519').privateKey) {
  const { x } = jwk.parse(privateKey.export({ format: 'jwk' }));
  const key: ProofKey = { kty: 'OKP', crv: 'Ed25519', x, kid: computeThumbprint(x) };
  return { privateKey, key };
}

const { privateKey, key } = makeKey();
const signText = (text: string): Proof => ({
  statement: text,
  signature: sign(null, Buffer.from(text), privateKey).toString('base64url'),
  keyId: key.kid,
  revokedAt: null,
});
const proof = signText(canonicalize(statement));

describe('the canonical form', () => {
  it('has the strings of RFC 8785, section 3.2.2', () => {
    const text = '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"/';
    expect(canonicalize({ literals: null, string: text })).toBe(
      '{"literals":null,"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts names as RFC 8785, section 3.2.3', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const sorted = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    const text = canonicalize(Object.fromEntries(names.map((name, index) => [name, index])));
    expect([...text.matchAll(/"([^"]+)":/g)].map(([, name]) => name)).toEqual(
      sorted.map((name) => JSON.stringify(name).slice(1, -1)),
    );
  });

  it('refuses what other implementations write differently', () => {
    for (const value of [0.1, -0, Number.NaN, 2 ** 53, '\ud800', { '\udc00': 1 }]) {
      expect(() => canonicalize(value), String(value)).toThrow();
    }
  });

  it('is independent of the order of fields, and is read back', () => {
    const text = canonicalize(statement);
    expect(canonicalize(Object.fromEntries(Object.entries(statement).reverse()))).toBe(text);
    expect(parseStatement(text)).toEqual(statement);
  });

  it('is the only text that is read as a statement', () => {
    const text = canonicalize(statement);
    const others = [
      ` ${text}`,
      text.replace('"version":1', '"version":1.0'),
      text.replace('"version":1', '"version":2'),
      text.replace('"verdict":"ok"', '"verdict":"broken","verdict":"ok"'),
      text.replace('"verdict":"ok"', '"verdict":"broken"'),
      text.replace('"rel":"no', '"rel":"\\u006eo'),
      text.replace('"version":1', '"version":1,"z":1'),
      text.replace('"verdict":"ok",', ''),
      text.replace('{"anchor"', '{"__proto__":{},"anchor"'),
      text.replace('2026-11-22T', '2026-13-22T'),
      `[${text}]`,
      'null',
      '',
    ];
    for (const other of others) {
      expect(other).not.toBe(text);
      expect(parseStatement(other), other).toBeNull();
    }
  });
});

describe('the signature', () => {
  /** RFC 8032, section 7.1, tests 1 to 3: secret key, public key, message, signature. */
  const vectors = [
    [
      '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      '',
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ],
    [
      '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      '72',
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ],
    [
      'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
      'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
      'af82',
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    ],
  ] as const;

  it.each(vectors)('is that of RFC 8032 for the key %s', (secret, publicKey, message, expected) => {
    const x = Buffer.from(publicKey, 'hex').toString('base64url');
    const d = Buffer.from(secret, 'hex').toString('base64url');
    const known = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x, d }, format: 'jwk' });
    expect(createPublicKey(known).export({ format: 'jwk' }).x).toBe(x);
    expect(sign(null, Buffer.from(message, 'hex'), known).toString('hex')).toBe(expected);
  });

  it('names the key by the thumbprint of RFC 8037, appendix A.3', () => {
    expect(computeThumbprint('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')).toBe(
      'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    );
  });

  it('of Node.js is verified by WebCrypto', async () => {
    expect(await verifyProof(proof, [makeKey().key, key], statement.id)).toEqual({ state: 'valid', statement });
    const revoked = { ...proof, revokedAt: '2026-12-01T00:00:00.000Z' };
    expect(await verifyProof(revoked, [key])).toEqual({ state: 'revoked', statement });
  });

  it('does not cover any other text, signature, key or id', async () => {
    const faultOf = async (given: Proof, keys: ProofKey[] = [key], id?: string) => {
      const result = await verifyProof(given, keys, id);
      return result.state === 'invalid' ? result.fault : result.state;
    };
    const other = makeKey();
    expect(await faultOf({ ...proof, statement: canonicalize({ ...statement, verdict: 'changed' }) })).toBe(
      'signature',
    );
    expect(await faultOf(proof, [{ ...other.key, kid: key.kid }])).toBe('signature');
    expect(await faultOf(proof, [other.key])).toBe('unknown key');
    expect(await faultOf(proof, [])).toBe('unknown key');
    expect(await faultOf(proof, [key], '01jd0000000000000000000001')).toBe('id');
    expect(await faultOf(signText(JSON.stringify(statement)))).toBe('statement');
    // The same 64 bytes in another encoding, which a shared copy could be changed to.
    expect(await faultOf({ ...proof, signature: `${proof.signature}==` })).toBe('signature');
    const replacedAt = Date.parse(statement.checkedAt) / 1000;
    expect(await faultOf(proof, [{ ...key, exp: replacedAt }])).toBe('valid');
    expect(await faultOf(proof, [{ ...key, exp: replacedAt - 1 }])).toBe('expired key');
  });

  it('does not match after any character of the passport or of the key is changed', async () => {
    const places = fc.constantFrom('statement', 'signature', 'keyId', 'x', 'kid');
    await fc.assert(
      fc.asyncProperty(places, fc.nat(), fc.integer({ min: 1, max: 127 }), async (place, at, difference) => {
        const change = (text: string) => {
          const bytes = Buffer.from(text);
          const index = at % bytes.length;
          bytes.writeUInt8(bytes.readUInt8(index) ^ difference, index);
          return bytes.toString('utf8');
        };
        const changed = { ...proof, ...key };
        changed[place] = change(changed[place]);
        const { state } = await verifyProof(changed, [{ kty: 'OKP', crv: 'Ed25519', x: changed.x, kid: changed.kid }]);
        expect(state).toBe('invalid');
      }),
      { numRuns: 1_000 },
    );
  });

  it('matches for any text that a check can contain', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 50 });
    const parts = fc.record({ anchor: text, rel: text, target: text, page: text });
    await fc.assert(
      fc.asyncProperty(parts, async (part) => {
        const signed = { ...statement, ...part };
        expect(await verifyProof(signText(canonicalize(signed)), [key])).toEqual({ state: 'valid', statement: signed });
      }),
      { numRuns: 300 },
    );
  });
});
