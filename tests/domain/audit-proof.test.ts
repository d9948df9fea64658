import { randomBytes } from 'node:crypto';
import { desc } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs, chainProofs } from '@/db/schema/audit';
import { systemActor } from '@/lib/access/actor';
import { anchorChain } from '@/lib/audit/anchor-chain';
import { getProofProgress, requestProof } from '@/lib/audit/proof-requests';
import { getLastChainProof, proveAuditLog, runChainProof, runRequestedChainProof } from '@/lib/audit/prove-chain';
import { sealAuditLogs } from '@/lib/audit/seal';
import { newId } from '@/lib/ids';
import { auditKeys, deriveAuditKeys, hmac } from '@/lib/platform/audit/keys';
import { recordAudit } from '@/lib/platform/audit/record';
import { makeUser } from '@/tests/factories/make-user';
import { asOwner, unguarded } from '@/tests/setup/audit-tampering';

/** Writes and seals entries. @returns the id of the last one */
async function write(...details: string[]): Promise<number> {
  const entries = details.map((text) => ({
    ...{ action: 'test.happened', details: text },
    ...{ entityType: 'test', entityId: text },
  }));
  await recordAudit(db(), systemActor('Test', 'script'), ...entries);
  await sealAuditLogs();
  const [last] = await db().select({ id: auditLogs.id }).from(auditLogs).orderBy(desc(auditLogs.id)).limit(1);
  return last?.id ?? 0;
}

const prove = async (options: Parameters<typeof proveAuditLog>[0] = {}) => (await proveAuditLog(options)).proof;

/** Changes an entry without its seal, runs work, and restores the entry. */
async function withChangedEntry(id: number, work: () => Promise<void>): Promise<void> {
  await unguarded((tx) => tx`update audit_logs set details = details || '!' where id = ${id}`);
  await work();
  await unguarded((tx) => tx`update audit_logs set details = left(details, -1) where id = ${id}`);
}

describe('the verification of the audit log', () => {
  it('reads all entries at first, then those since the last run, and all on request', async () => {
    const old = await write('one', 'two', 'three');
    const whole = await prove();
    expect(whole).toMatchObject({ isSound: true, from: 0, wholeAt: whole.ranAt });
    const added = await write('four');
    const next = await prove();
    expect(next).toMatchObject({ isSound: true, from: whole.verified?.position, wholeAt: whole.wholeAt });
    expect(next.verified?.position).toBe((whole.verified?.position ?? 0) + 1);
    expect(await getLastChainProof()).toEqual(next);
    expect((await prove({ isWhole: true })).from).toBe(0);

    // A change of a verified entry is found by a run over all, and after that by every run.
    await withChangedEntry(added, async () => {
      expect(await prove()).toMatchObject({ isSound: true });
      expect(await prove({ isWhole: true })).toMatchObject({
        isSound: false,
        faults: [/^changed/, /^forged/].map((kind) => expect.stringMatching(kind)),
      });
      expect(await prove()).toMatchObject({ isSound: false, from: 0 });
    });
    expect(await prove()).toMatchObject({ isSound: true, from: 0 });
    expect(old).toBeLessThan(added);
  });

  it('detects tampering with the entries since the last run', async () => {
    await prove({ isWhole: true });
    const id = await write('five');
    await withChangedEntry(id, async () => expect(await prove()).toMatchObject({ isSound: false }));
    await prove();

    // An old entry, copied with its signature past the application.
    await write('six');
    await prove();
    await asOwner(
      `insert into audit_logs (action, details, "user", role, source, entity_type, entity_id, mac)
      select action, details, "user", role, source, entity_type, entity_id, mac from audit_logs where details = 'one'`,
    );
    await sealAuditLogs();
    expect((await prove()).faults).toEqual([expect.stringMatching(/^forged: .* same authentication code/)]);
    await unguarded(async (tx) => {
      await tx`delete from audit_seals where position = (select max(position) from audit_seals)`;
      await tx`delete from audit_logs where id = (select max(id) from audit_logs)`;
    });
    expect(await prove()).toMatchObject({ isSound: true, from: 0 });

    // An entry without a seal, and a chain that was cut off behind the last run.
    await unguarded(
      (tx) => tx`insert into audit_logs (action, details, "user", role, source, entity_type, entity_id, mac)
        values ('test.happened', 'unsealed', 'Test', 'Admin', 'web', 'test', '1', '')`,
    );
    expect((await prove()).faults).toEqual([expect.stringMatching(/^inserted/)]);
    await unguarded((tx) => tx`delete from audit_logs where details = 'unsealed'`);
    await prove();
    await unguarded((tx) => tx`delete from audit_seals where position = (select max(position) from audit_seals)`);
    expect((await prove()).faults).toContainEqual(expect.stringMatching(/^head/));
    await unguarded((tx) => tx`delete from audit_logs where details = 'six'`);
    expect(await prove()).toMatchObject({ isSound: true, from: 0 });
  });

  it('accepts no result that was written without SECRET_KEYS', async () => {
    const id = await write('seven');
    const valid = await prove();
    const later = { ...valid, ranAt: new Date(Date.now() + 1_000).toISOString() };
    const [stranger] = deriveAuditKeys([{ id: 'k1', key: randomBytes(32) }]);
    const statement = JSON.stringify(later);
    const [row] = await db().select().from(chainProofs).orderBy(desc(chainProofs.id)).limit(1);
    const forged = hmac(stranger.proof, statement).digest('base64url');
    for (const mac of [row?.mac ?? '', `${stranger.id}.${forged}`, `${auditKeys()[0].id}.${forged}`, '']) {
      await db().insert(chainProofs).values({ id: newId(), statement, mac });
    }
    expect(await getLastChainProof()).toEqual(valid);
    expect(id).toBe(valid.verified?.lastAuditId);
    await expect(asOwner('delete from chain_proofs')).rejects.toThrow();
    await expect(db().delete(chainProofs)).rejects.toThrow();
  });

  it('reads all entries behind a new anchor, and after the key was removed', async () => {
    const both = deriveAuditKeys([
      { id: 'k2', key: randomBytes(32) },
      { id: 'k1', key: Buffer.from((process.env.SECRET_KEYS ?? '').split(',')[0]?.split(':')[1] ?? '', 'base64') },
    ]);
    const [newKey] = both;
    expect((await proveAuditLog({}, both)).proof).toMatchObject({ isSound: true });
    expect((await anchorChain(both)).isAnchored).toBe(true);
    expect((await proveAuditLog({}, both)).proof).toMatchObject({ isSound: true, from: 0 });
    expect((await proveAuditLog({}, [newKey])).proof).toMatchObject({ isSound: true });
    expect((await proveAuditLog({}, [newKey])).proof.from).toBeGreaterThan(0);
    expect((await prove()).isSound).toBe(false);
  });

  it('of all entries runs once as a job when it was requested, and tells its progress', async () => {
    const admin = await makeUser('Admin');
    expect(await getProofProgress('audit-log')).toBeNull();
    expect(await runRequestedChainProof()).toEqual({ proofs: 0 });
    await requestProof('audit-log', admin.userId);
    await requestProof('audit-log', admin.userId);
    expect(await getProofProgress('audit-log')).toBe(0);
    const runs = await Promise.all([runRequestedChainProof(), runRequestedChainProof()]);
    expect(runs.map(({ proofs }) => proofs).sort()).toEqual([0, 1]);
    expect(await getProofProgress('audit-log')).toBeNull();
    expect(await getLastChainProof()).toMatchObject({ from: 0 });
  });

  it('runs once at a time, and is recorded', async () => {
    const admin = await makeUser('Admin');
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => runChainProof(admin, { isWhole: true })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'conflict' });
    }
    const [line] = await db().select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1);
    expect(line).toMatchObject({ action: 'audit.verified', userId: admin.userId });
  });
});
