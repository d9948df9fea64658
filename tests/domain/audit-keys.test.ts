import { createHash, randomBytes } from 'node:crypto';
import { asc, eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import type postgres from 'postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs, auditSeals } from '@/db/schema/audit';
import { systemActor } from '@/lib/access/actor';
import { anchorChain } from '@/lib/audit/anchor-chain';
import { ChainDigest, entryContent, sealHash } from '@/lib/audit/chain';
import { sealAuditLogs } from '@/lib/audit/seal';
import { verifyAuditChain } from '@/lib/audit/verify-chain';
import { env } from '@/lib/env';
import { auditKeys, deriveAuditKeys } from '@/lib/platform/audit/keys';
import { recordAudit } from '@/lib/platform/audit/record';
import { cutText } from '@/lib/platform/cut-text';
import { parseKeyRing } from '@/lib/platform/secrets';
import { propertyRuns } from '@/scripts/testing/tier';
import { reportAfter, unguarded } from '@/tests/setup/audit-tampering';

const actor = systemActor('Test', 'script');
const entry = (details: string) => ({ action: 'test.happened', details, entityType: 'test', entityId: '1' });
const write = (...details: string[]) => recordAudit(db(), actor, ...details.map(entry));

/** An entry without a valid authentication code. */
const insertUnsigned = (details: string, action = 'test.happened', after: object = {}) => sql`
  insert into audit_logs (action, details, "user", role, source, entity_type, entity_id, after, mac)
  values (${action}, ${details}, 'Test', 'System', 'script', 'test', '1', ${JSON.stringify(after)}::jsonb, '')`;

const rowsInOrder = () =>
  db()
    .select({
      position: auditSeals.position,
      auditId: auditSeals.auditId,
      sealedAt: auditSeals.sealedAt,
      hash: auditSeals.hash,
      keyId: auditSeals.keyId,
      content: entryContent,
      mac: auditLogs.mac,
    })
    .from(auditSeals)
    .leftJoin(auditLogs, eq(auditLogs.id, auditSeals.auditId))
    .orderBy(asc(auditSeals.position));

const newKey = `k2:${randomBytes(32).toString('base64')}`;
const both = deriveAuditKeys(parseKeyRing(`${newKey},${env().SECRET_KEYS}`));
const newOnly = deriveAuditKeys(parseKeyRing(newKey));
const kinds = (report: { faults: { kind: string }[] }) => [...new Set(report.faults.map(({ kind }) => kind))].sort();

beforeAll(async () => {
  await write('one', 'two', 'three');
  await sealAuditLogs();
});

it('an entry that ends with half of a surrogate pair is stored as it is signed', async () => {
  const half = '\ud83d\ude00'.slice(0, 1);
  await recordAudit(db(), { ...actor, name: `Test ${half}` }, entry(`A text that was cut ${half}`));
  expect(cutText('a\ud83d\ude00', 2)).toBe('a');
  await sealAuditLogs();
  expect((await verifyAuditChain()).faults).toEqual([]);
});

describe('an attacker with all database privileges and no keys', () => {
  it('cannot have an invented or copied entry sealed by the application', async () => {
    for (const forge of [
      insertUnsigned('Never happened'),
      sql`insert into audit_logs (action, details, "user", role, source, entity_type, entity_id, mac)
        select action, 'Never happened', "user", role, source, entity_type, entity_id, mac
        from audit_logs limit 1`,
      sql`insert into audit_logs (action, details, "user", role, source, entity_type, entity_id, before, after, mac, ip, request_id)
        select action, details, "user", role, source, entity_type, entity_id, before, after, mac, ip, request_id
        from audit_logs limit 1`,
    ]) {
      await db().execute(forge);
      const [row] = await db()
        .select({ id: sql<number>`max(${auditLogs.id})` })
        .from(auditLogs);
      await sealAuditLogs();
      expect(kinds(await verifyAuditChain())).toEqual(['forged']);
      await unguarded(async (tx) => {
        await tx`delete from audit_seals where audit_id = ${row?.id ?? 0}`;
        await tx`delete from audit_logs where id = ${row?.id ?? 0}`;
      });
    }
    expect((await verifyAuditChain()).isSound).toBe(true);
  });

  it('cannot change anything undetected, from wherever the chain is sealed again', async () => {
    await write(...Array.from({ length: 12 }, (_, index) => `entry ${index}`));
    await sealAuditLogs();
    const rows = await rowsInOrder();
    const { head } = await verifyAuditChain();
    const last = rows.length;
    const place = fc.integer({ min: 1, max: last });
    const change = fc.constantFrom('edit', 'delete', 'cut off', 'swap', 'insert', 'relabel', 'rewrite');
    await fc.assert(
      fc.asyncProperty(change, place, place, fc.constantFrom('none', 'other key'), async (kind, a, b, how) => {
        fc.pre(kind !== 'swap' || a !== b);
        const report = await reportAfter(async (tx) => {
          const idAt = (position: number) => rows[position - 1]?.auditId ?? 0;
          if (kind === 'edit') await tx`update audit_logs set details = details || '.' where id = ${idAt(a)}`;
          if (kind === 'delete') await tx`delete from audit_logs where id = ${idAt(a)}`;
          if (kind === 'cut off') await tx`delete from audit_seals where position >= ${a}`;
          if (kind === 'cut off') await tx`delete from audit_logs where id >= ${idAt(a)}`;
          if (kind === 'swap') {
            await tx`update audit_seals set audit_id = -1 where position = ${a}`;
            await tx`update audit_seals set audit_id = ${idAt(a)} where position = ${b}`;
            await tx`update audit_seals set audit_id = ${idAt(b)} where position = ${a}`;
          }
          if (kind === 'insert') {
            await tx`insert into audit_logs (action, details, "user", role, source, entity_type, entity_id, mac)
              values ('test.happened', 'Never happened', 'Test', 'Admin', 'web', 'test', '1', '')`;
            await tx`insert into audit_seals (position, audit_id, hash, key_id)
              select ${last + 1}, max(id), repeat('0', 64), ${auditKeys()[0].id} from audit_logs`;
          }
          if (kind === 'relabel') await tx`update audit_seals set key_id = 'zz-00000000' where position >= ${a}`;
          if (kind === 'rewrite') {
            await tx`update audit_logs set mac = '', details = 'Nothing happened.' where id >= ${idAt(a)}`;
            await chainWithKey(tx, a);
          }
          if (how === 'other key') await chainWithKey(tx, a);
        }, head ?? undefined);
        expect(report.isSound).toBe(false);
      }),
      { numRuns: propertyRuns(60) },
    );
    expect((await verifyAuditChain(head ?? undefined)).isSound).toBe(true);
  }, 120_000);
});

/** Seals everything from a position on with the attacker's own key, under the id of the installation's key. */
async function chainWithKey(tx: postgres.TransactionSql, from: number) {
  const [key] = deriveAuditKeys([{ id: 'k1', key: randomBytes(32) }]);
  const rows = await tx<{ position: number; audit_id: number; hash: string }[]>`
    select position::int, audit_id::int, hash from audit_seals order by position`;
  let previous = rows.find(({ position }) => position === from - 1)?.hash ?? '';
  for (const { position, audit_id: auditId } of rows.filter((row) => row.position >= from)) {
    previous = sealHash(key, previous, { position, auditId, sealedAt: new Date(), content: null, mac: null });
    await tx`update audit_seals set hash = ${previous} where position = ${position}`;
  }
}

describe('a new key', () => {
  it('verifies older entries by an anchor after the older key is removed, and not without one', async () => {
    await write('by the older key');
    await sealAuditLogs();
    expect(kinds(await verifyAuditChain(undefined, newOnly))).toEqual(['key missing']);

    const { isAnchored } = await anchorChain(both);
    expect(isAnchored).toBe(true);
    expect((await anchorChain(both)).isAnchored).toBe(false);
    const report = await verifyAuditChain(undefined, newOnly);
    expect(report).toMatchObject({
      isSound: true,
      faults: [],
      olderKeys: [{ id: expect.stringMatching(/^[a-z0-9]+-/), isHeld: false }],
    });
    expect(report.anchoredUntil).toBeGreaterThan(3);

    for (const statement of [
      "update audit_logs set details = 'Nothing happened.' where details = 'by the older key'",
      "delete from audit_logs where details = 'by the older key'",
      "update audit_logs set mac = '' where details = 'by the older key'",
      "update audit_seals set hash = repeat('0', 64) where position = 4",
      "update audit_seals set sealed_at = sealed_at + interval '1 second' where position = 4",
      "update audit_seals set key_id = 'zz-00000000' where position = 4",
    ]) {
      const tampered = await reportAfter((tx) => tx.unsafe(statement), undefined, newOnly);
      expect(tampered.isSound, statement).toBe(false);
      expect(kinds(tampered), statement).toContain('changed');
    }
  });

  it('requires the old key for what an instance with it wrote after the anchor', async () => {
    await write('late, by the older key');
    await sealAuditLogs(both);
    expect(kinds(await verifyAuditChain(undefined, newOnly))).toEqual(['key missing']);
    expect((await anchorChain(both)).isAnchored).toBe(true);
    expect((await verifyAuditChain(undefined, newOnly)).isSound).toBe(true);
  });

  it('accepts no forged anchor, and creates none for an invalid chain', async () => {
    await write('not anchored');
    await sealAuditLogs(both);
    const digest = new ChainDigest();
    const rows = await rowsInOrder();
    for (const row of rows) digest.add(row.hash, row.keyId, row);
    const facts = { position: rows.length, hash: rows.at(-1)?.hash, digest: digest.toHex() };
    expect((await verifyAuditChain(undefined, both)).digest).toBe(facts.digest);
    await db().execute(insertUnsigned('Anchored.', 'audit.anchored', facts));
    const [row] = await db()
      .select({ id: sql<number>`max(${auditLogs.id})` })
      .from(auditLogs);
    await sealAuditLogs(both);
    expect(kinds(await verifyAuditChain(undefined, newOnly))).toEqual(['forged', 'key missing']);
    expect(await anchorChain(both)).toMatchObject({ isAnchored: false, report: { isSound: false } });
    await unguarded(async (tx) => {
      await tx`delete from audit_seals where audit_id = ${row?.id ?? 0}`;
      await tx`delete from audit_logs where id = ${row?.id ?? 0}`;
    });
  });

  it('with the id of another key is a different key', () => {
    const [one] = deriveAuditKeys([{ id: 'k1', key: createHash('sha256').update('1').digest() }]);
    const [two] = deriveAuditKeys([{ id: 'k1', key: createHash('sha256').update('2').digest() }]);
    expect(one.id).not.toBe(two.id);
  });
});
