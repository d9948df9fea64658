import { createHash, generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import { eq, isNotNull } from 'drizzle-orm';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { GET as getKeys } from '@/app/.well-known/linkmarket-keys/route';
import { GET as getProof } from '@/app/api/proofs/[id]/route';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { linkProofs, proofKeys } from '@/db/schema/links';
import { sealAuditLogs } from '@/lib/audit/seal';
import { env } from '@/lib/env';
import { computeThumbprint, listPublishedKeys, proofKeySlot, withdrawProofKey } from '@/lib/links/passport/keys';
import { findProof, issueProof, revokeProofs } from '@/lib/links/passport/proofs';
import { parseStatement, verifyProof } from '@/lib/links/passport/verify-proof';
import { parseKeyRing, sealSecret } from '@/lib/platform/secrets';
import { resealSecrets } from '@/lib/workflows/reseal-secrets';
import { makeLinkCheck } from '@/tests/factories/make-link-check';
import { makeOrder } from '@/tests/factories/make-order';
import { unguarded } from '@/tests/setup/audit-tampering';
import { callHandler } from '@/tests/setup/request-scope';

vi.mock('next/headers', async () => (await import('@/tests/setup/request-scope')).nextHeaders);

const firstKeys = env().SECRET_KEYS;
let orderId = 0;
beforeAll(async () => {
  orderId = (await makeOrder(1_000)).id;
});
beforeEach(() => db().delete(proofKeys));
afterEach(() => {
  env().SECRET_KEYS = firstKeys;
});

const issue = async (change?: Parameters<typeof makeLinkCheck>[1]) => {
  const check = await makeLinkCheck(orderId, change);
  const id = await db().transaction((tx) => issueProof(tx, check));
  return { check, id: id ?? '' };
};
const stateOf = async (id: string) => {
  const proof = await findProof(id);
  const result = proof && (await verifyProof(proof, await listPublishedKeys(), id));
  return result?.state === 'invalid' ? result.fault : result?.state;
};
const newKeyRing = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const retiredKeys = () => db().select().from(proofKeys).where(isNotNull(proofKeys.retiredAt));

describe('a passport', () => {
  it('states what the check found, and not who ordered it at which price', async () => {
    await sealAuditLogs();
    const { check, id } = await issue();
    const statement = parseStatement((await findProof(id))?.statement ?? '');
    expect(statement).toEqual({
      version: 1,
      id,
      issuer: env().APP_URL,
      page: check.pageUrl,
      finalUrl: check.finalUrl,
      target: check.targetUrl,
      rel: 'nofollow',
      anchor: 'garden spades',
      indexable: true,
      verdict: 'ok',
      textHash: check.textHash,
      checkedAt: check.at.toISOString(),
      audit: { position: expect.any(Number), hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(await stateOf(id)).toBe('valid');
  });

  it('is issued once a check, for links that were found', async () => {
    const { check, id } = await issue({ verdict: 'changed', rel: '', indexable: false });
    const again = () => db().transaction((tx) => issueProof(tx, check));
    expect(await Promise.all([again(), again()])).toEqual([id, id]);
    expect(await stateOf(id)).toBe('valid');
    for (const verdict of ['broken', 'unknown'] as const) expect((await issue({ verdict })).id).toBe('');
  });

  it('belongs to its id: the statement of another passport is not valid', async () => {
    const [{ id: real }, fake] = [await issue(), await makeLinkCheck(orderId)];
    const [row] = await db().select().from(linkProofs).where(eq(linkProofs.id, real));
    if (!row) throw new Error('The passport is missing.');
    const id = `${real.slice(0, -1)}${real.endsWith('0') ? '1' : '0'}`;
    await db()
      .insert(linkProofs)
      .values({ ...row, id, checkId: fake.id });
    expect(await stateOf(id)).toBe('id');
  });

  it('cannot be changed or deleted, and is revoked once', async () => {
    const { id } = await issue();
    const ofId = eq(linkProofs.id, id);
    await expect(db().update(linkProofs).set({ statement: '{}' }).where(ofId)).rejects.toThrow();
    await expect(db().delete(linkProofs).where(ofId)).rejects.toThrow();
    const order = (await makeOrder(500)).id;
    const later = await makeLinkCheck(order);
    const other = await db().transaction((tx) => issueProof(tx, later));

    expect(await db().transaction((tx) => revokeProofs(tx, orderId, 'cancelled'))).toBeGreaterThan(0);
    const revokedAt = (await findProof(id))?.revokedAt;
    expect(revokedAt).not.toBeNull();
    expect(await stateOf(id)).toBe('revoked');
    expect(await stateOf(other ?? '')).toBe('valid');
    expect(await db().transaction((tx) => revokeProofs(tx, orderId, 'refunded'))).toBe(0);
    expect((await findProof(id))?.revokedAt).toBe(revokedAt);
    await expect(db().update(linkProofs).set({ revokedAt: null }).where(ofId)).rejects.toThrow();
  });

  it('is not valid after one bit of it was flipped in the database', async () => {
    for (const column of ['statement', 'signature'] as const) {
      const { id } = await issue();
      const [row] = await db().select().from(linkProofs).where(eq(linkProofs.id, id));
      const bytes = Buffer.from(row?.[column] ?? '');
      bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20);
      await unguarded((tx) => tx`update link_proofs set ${tx({ [column]: bytes.toString() })} where id = ${id}`);
      expect(['statement', 'signature']).toContain(await stateOf(id));
    }
  });
});

describe('the key', () => {
  it('is created by one of several instances that sign first', async () => {
    const checks = await Promise.all(Array.from({ length: 6 }, () => makeLinkCheck(orderId)));
    const ids = await Promise.all(checks.map((check) => db().transaction((tx) => issueProof(tx, check))));
    expect(await db().$count(proofKeys)).toBe(1);
    for (const id of ids) expect(await stateOf(id ?? '')).toBe('valid');
    const [key] = await listPublishedKeys();
    const entry = await db()
      .select()
      .from(auditLogs)
      .where(eq(auditLogs.entityId, key?.kid ?? ''));
    expect(entry).toMatchObject([{ action: 'proof_key.created' }]);
  });

  it('is sealed with SECRET_KEYS, and is published as a JWK that other software verifies with', async () => {
    const { id } = await issue();
    const [row] = await db().select().from(proofKeys);
    expect(row?.sealedPrivateKey).toMatch(/^v1\.k1\./);
    const { status, body, headers } = await callHandler(getKeys, 'http://localhost/.well-known/linkmarket-keys');
    expect({ status, cache: headers.get('cache-control') }).toEqual({ status: 200, cache: 'public, max-age=300' });
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: row?.publicKey ?? '' };
    const kid = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${jwk.x}"}`).digest('base64url');
    expect(body).toEqual({ keys: [{ ...jwk, kid, use: 'sig', alg: 'EdDSA', iat: expect.any(Number) }] });
    const proof = await findProof(id);
    const signature = Buffer.from(proof?.signature ?? '', 'base64url');
    expect(verify(null, Buffer.from(proof?.statement ?? ''), { key: jwk, format: 'jwk' }, signature)).toBe(true);
  });

  it('that was written to the database without SECRET_KEYS is neither published nor used', async () => {
    const { id: real } = await issue();
    const [ours] = await db().select().from(proofKeys);
    if (!ours) throw new Error('The key is missing.');
    const forged = generateKeyPairSync('ed25519');
    const publicKey = forged.publicKey.export({ format: 'jwk' }).x ?? '';
    const id = computeThumbprint(publicKey);
    const pem = forged.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const sealed = {
      'a copy of our private key': ours.sealedPrivateKey,
      'sealed with another key under our id': sealSecret(proofKeySlot(id), pem, parseKeyRing(newKeyRing('k1'))),
      'sealed with an unknown key': sealSecret(proofKeySlot(id), pem, parseKeyRing(newKeyRing('k9'))),
      'not sealed': pem,
    };
    for (const [how, sealedPrivateKey] of Object.entries(sealed)) {
      await db().insert(proofKeys).values({ id, publicKey, sealedPrivateKey, retiredAt: new Date() });
      expect(
        (await listPublishedKeys()).map(({ kid }) => kid),
        how,
      ).toEqual([ours.id]);
      await db().delete(proofKeys).where(eq(proofKeys.id, id));
    }
    // Our own row with the public key of another key pair, or not even a key.
    for (const changed of [publicKey, 'x', '']) {
      await db().update(proofKeys).set({ publicKey: changed });
      expect(await listPublishedKeys(), changed).toEqual([]);
      expect(await stateOf(real)).toBe('unknown key');
    }
    const { id: next } = await issue();
    expect(await stateOf(next)).toBe('valid');
    expect(await db().$count(proofKeys)).toBe(2);
  });

  it('that this instance cannot decrypt is replaced once by all that sign', async () => {
    const { id: before } = await issue();
    env().SECRET_KEYS = newKeyRing('k2');
    const checks = await Promise.all(Array.from({ length: 6 }, () => makeLinkCheck(orderId)));
    const ids = await Promise.all(checks.map((check) => db().transaction((tx) => issueProof(tx, check))));
    expect(await db().$count(proofKeys)).toBe(2);
    for (const id of ids) expect(await stateOf(id ?? '')).toBe('valid');
    expect(await stateOf(before)).toBe('unknown key');
    env().SECRET_KEYS = `${env().SECRET_KEYS},${firstKeys}`;
    expect(await stateOf(before)).toBe('valid');
  });

  it('is replaced by keys:rotate; its passports stay valid without the older of SECRET_KEYS', async () => {
    const { id: before } = await issue();
    const second = newKeyRing('k2');
    env().SECRET_KEYS = `${second},${firstKeys}`;
    const reports = await Promise.all([resealSecrets(), resealSecrets()]);
    expect(reports.flatMap(({ unreadable }) => unreadable)).toEqual([]);
    const [signingKey, ...more] = reports.flatMap((report) => report.signingKey ?? []);
    expect(more).toEqual([]);
    env().SECRET_KEYS = second;
    const { id: after } = await issue();
    expect((await findProof(after))?.keyId).toBe(signingKey);
    expect([await stateOf(before), await stateOf(after)]).toEqual(['valid', 'valid']);
    const [current, retired] = await listPublishedKeys();
    expect([current?.kid, current?.exp, typeof retired?.exp]).toEqual([signingKey, undefined, 'number']);
    expect((await resealSecrets()).signingKey).toBeNull();
  });

  it('is not replaced while a passport that it signs is not yet stored', async () => {
    await issue();
    env().SECRET_KEYS = `${newKeyRing('k2')},${firstKeys}`;
    const { rotated, id } = await db().transaction(async (tx) => {
      const id = await issueProof(tx, await makeLinkCheck(orderId));
      const rotated = resealSecrets();
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await retiredKeys()).toEqual([]);
      return { rotated: [rotated], id };
    });
    expect((await rotated[0])?.signingKey).not.toBeNull();
    expect(await stateOf(id ?? '')).toBe('valid');
    expect(await retiredKeys()).toHaveLength(1);
  });

  it('that leaked is withdrawn: its passports are not valid, later ones are', async () => {
    const { id: before } = await issue();
    const [key] = await listPublishedKeys();
    await expect(withdrawProofKey('unknown')).rejects.toThrow('There is no key "unknown" of link passports.');
    await withdrawProofKey(key?.kid ?? '');
    const { id: after } = await issue();
    expect([await stateOf(before), await stateOf(after)]).toEqual(['unknown key', 'valid']);
  });
});

describe('GET /api/proofs/{id}', () => {
  const call = (id: string, address = '10.1.1.1') =>
    callHandler(getProof, `http://localhost/api/proofs/${encodeURIComponent(id)}`, {
      params: { id },
      headers: { 'x-forwarded-for': address },
    });

  it('returns a passport without an account', async () => {
    const { id } = await issue();
    const { status, body } = await call(id);
    expect({ status, body }).toEqual({ status: 200, body: { ...(await findProof(id)) } });
    expect(Object.keys({ ...(await findProof(id)) }).sort()).toEqual([
      'keyId',
      'replacedBy',
      'revokedAt',
      'signature',
      'statement',
    ]);
  });

  it('returns 404 for any other text', async () => {
    for (const id of ['01jd0000000000000000000000', '999999999', "'", 'a'.repeat(10_000)]) {
      expect((await call(id)).status, id).toBe(404);
    }
  });

  it('accepts 300 in 15 minutes per IP address', async () => {
    const statuses: number[] = [];
    for (let sent = 0; sent < 301; sent++) statuses.push((await call('unknown', '10.2.2.2')).status);
    expect([statuses.filter((status) => status === 404).length, statuses.at(-1)]).toEqual([300, 429]);
    expect((await call('unknown', '10.3.3.3')).status).toBe(404);
  });
});
