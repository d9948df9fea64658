import { execFile } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canonicalize } from '@/lib/links/passport/verify-proof';

/** `npm run passport:verify`, as a user with a saved passport calls it. */
const root = resolve(import.meta.dirname, '../../..');
let folder = '';
const requested: string[] = [];
let keys = '{}';
const issuer = createServer((request, response) => {
  requested.push(request.url ?? '');
  response.end(keys);
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linkmarket-passport-'));
  await new Promise<void>((done) => issuer.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  issuer.close();
  await rm(folder, { recursive: true });
});

function verify(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    const command = ['--import', 'tsx', 'scripts/passport-verify.ts', ...args];
    execFile(process.execPath, command, { cwd: root }, (error, stdout, stderr) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    );
  });
}

function makePassport(change: Record<string, string> = {}) {
  const address = issuer.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const statement = canonicalize({
    version: 1,
    id: '01jd0000000000000000000000',
    issuer: `http://127.0.0.1:${port}`,
    page: 'https://blog.example.org/post',
    finalUrl: 'https://blog.example.org/post',
    target: 'https://shop.example.com/',
    rel: '',
    anchor: 'spades \u001b[31m\u202e',
    indexable: true,
    verdict: 'ok',
    textHash: '',
    checkedAt: '2026-11-22T19:30:00.000Z',
    audit: null,
    ...change,
  });
  const signature = sign(null, Buffer.from(statement), privateKey).toString('base64url');
  const { x } = publicKey.export({ format: 'jwk' });
  const jwks = JSON.stringify({
    keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid: 'k', use: 'sig', alg: 'EdDSA', iat: 1 }],
  });
  return { passport: { statement, signature, keyId: 'k', revokedAt: null as string | null }, jwks };
}

async function save(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

it('verifies a passport with a file of keys, without a request', async () => {
  const { passport, jwks } = makePassport();
  const { code, output } = await verify(await save('p.json', passport), '--keys', await save('keys.json', jwks));
  expect(output).toContain('The passport is valid');
  expect(output).toContain('https://blog.example.org/post');
  // Characters that control the terminal are shown, not sent to it.
  expect(output).toContain('spades \\u{1b}[31m\\u{202e}');
  expect(code).toBe(0);
  expect(requested).toEqual([]);
}, 60_000);

it('exits with 1 for a passport that was changed or revoked, or whose keys cannot be trusted', async () => {
  const { passport, jwks } = makePassport();
  const file = await save('keys.json', jwks);
  const changed = { ...passport, statement: passport.statement.replace('"verdict":"ok"', '"verdict":"changed"') };
  const revoked = { ...passport, revokedAt: '2026-12-01T00:00:00.000Z' };
  const remote = makePassport({ issuer: 'http://links.example.com' }).passport;
  const results = await Promise.all([
    verify(await save('changed.json', changed), '--keys', file),
    verify(await save('revoked.json', revoked), '--keys', file),
    verify(await save('remote.json', remote)),
    verify(await save('other.json', { a: 1 })),
    verify(join(folder, 'missing.json')),
  ]);
  expect(results.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1]);
  const expected = [
    'The statement or its signature was changed',
    'the passport was revoked at 2026-12-01T00:00:00.000Z',
    'cannot be trusted without https',
    'is not the JSON of a link passport',
    'does not exist',
  ];
  expected.forEach((text, index) => {
    expect(results[index]?.output).toContain(text);
  });
}, 60_000);

it('reads the keys from the issuer that the passport names', async () => {
  const { passport, jwks } = makePassport();
  keys = jwks;
  const { code, output } = await verify(await save('issued.json', passport));
  expect(output).toContain('The passport is valid');
  expect(code).toBe(0);
  expect(requested).toEqual(['/.well-known/linkmarket-keys']);
}, 60_000);
