import { asc, eq, inArray, sql } from 'drizzle-orm';
import fc from 'fast-check';
import type postgres from 'postgres';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs, auditSeals } from '@/db/schema/audit';
import { systemActor } from '@/lib/access/actor';
import { sealAuditLogs } from '@/lib/audit/seal';
import { verifyAuditChain } from '@/lib/audit/verify-chain';
import { auditKeys } from '@/lib/platform/audit/keys';
import { recordAudit } from '@/lib/platform/audit/record';
import { propertyRuns } from '@/scripts/testing/tier';
import { asOwner, reportAfter, unguarded } from '@/tests/setup/audit-tampering';

const actor = systemActor('Test', 'script');
const entry = (details: string, more: object = {}) => ({
  action: 'test.happened',
  details,
  entityType: 'test',
  entityId: '1',
  ...more,
});

async function writeSealed(...details: string[]): Promise<number[]> {
  await recordAudit(db(), actor, ...details.map((text) => entry(text)));
  await sealAuditLogs();
  const rows = await db()
    .select({ id: auditLogs.id })
    .from(auditLogs)
    .where(inArray(auditLogs.details, details))
    .orderBy(asc(auditLogs.id));
  return rows.map(({ id }) => id);
}

describe('the chain of the audit log', () => {
  it('is valid for entries with any content', async () => {
    const words = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\u0000', ''));
    const json = fc.dictionary(fc.constantFrom('name', 'price', 'ключ'), fc.oneof(words, fc.double(), fc.boolean()));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(words, json, fc.integer()), { maxLength: 8 }), async (entries) => {
        const before = (await verifyAuditChain()).sealed;
        await recordAudit(
          db(),
          actor,
          ...entries.map(([text, after, amountCents]) =>
            entry(text, { after: JSON.parse(JSON.stringify(after)), before: {}, amountCents }),
          ),
        );
        expect(await sealAuditLogs()).toEqual({ sealed: entries.length });
        const report = await verifyAuditChain();
        expect(report).toMatchObject({ isSound: true, faults: [], waiting: 0, sealed: before + entries.length });
      }),
      { numRuns: propertyRuns(25) },
    );
  });

  it('detects which entry was changed', async () => {
    const [first = 0] = await writeSealed('changed: one', 'changed: two');
    const report = await reportAfter(
      (tx) => tx`update audit_logs set details = 'Nothing happened.' where id = ${first}`,
    );
    expect(report.isSound).toBe(false);
    expect(report.faults).toMatchObject(
      ['changed', 'forged'].map((kind) => ({ kind, text: expect.stringContaining(`Entry ${first} `) })),
    );
  });

  it('detects a change of any column', async () => {
    const [id = 0] = await writeSealed('every column');
    for (const change of [
      "action = 'x'",
      "user_id = 'x'",
      `"user" = 'x'`,
      "role = 'x'",
      'amount_cents = 1',
      "source = 'web'",
      "entity_type = 'x'",
      "entity_id = 'x'",
      `before = '{"a": 1}'`,
      `after = '{"a": 1}'`,
      "ip = 'x'",
      "request_id = 'x'",
      "mac = ''",
      "timestamp = timestamp + interval '1 microsecond'",
    ]) {
      const report = await reportAfter((tx) => tx.unsafe(`update audit_logs set ${change} where id = ${id}`));
      // The database sets the time, so only the seal protects it.
      const kinds = change.startsWith('timestamp') ? ['changed'] : ['changed', 'forged'];
      expect(
        report.faults.map(({ kind }) => kind),
        change,
      ).toEqual(kinds);
    }
  });

  it('detects which entry was removed, with or without its seal', async () => {
    const [id = 0] = await writeSealed('removed: one', 'removed: two');
    const alone = await reportAfter((tx) => tx`delete from audit_logs where id = ${id}`);
    expect(alone.faults).toMatchObject([{ kind: 'removed', text: expect.stringContaining(`Entry ${id} `) }]);
    const withSeal = await reportAfter(async (tx) => {
      await tx`delete from audit_logs where id = ${id}`;
      await tx`delete from audit_seals where audit_id = ${id}`;
    });
    expect(withSeal.faults).toMatchObject([{ kind: 'seal missing' }]);
  });

  it('detects an entry that was removed before it was sealed', async () => {
    await recordAudit(db(), actor, entry('removed early'));
    const [row] = await db().select().from(auditLogs).where(eq(auditLogs.details, 'removed early'));
    const report = await reportAfter(async (tx) => {
      await tx`delete from audit_logs where id = ${row?.id ?? 0}`;
    });
    // It is not sealed yet, so the sealing job notices that the row is missing.
    expect(report.waiting).toBe(1);
    await unguarded((tx) => tx`delete from audit_logs where id = ${row?.id ?? 0}`);
    await sealAuditLogs();
    expect((await verifyAuditChain()).faults).toMatchObject([{ kind: 'removed' }]);
    // Restores a valid chain for the following tests.
    await unguarded((tx) => tx`delete from audit_seals where audit_id = ${row?.id ?? 0}`);
    expect((await verifyAuditChain()).isSound).toBe(true);
  });

  it('detects an entry inserted without the trigger and with shifted seals', async () => {
    const put = (tx: postgres.TransactionSql) => tx`
      insert into audit_logs (action, details, "user", role, source, entity_type, entity_id, mac)
      values ('test.happened', 'Never happened', 'unknown', 'Admin', 'web', 'test', '1', '')`;
    const report = await reportAfter(put);
    expect(report.faults).toMatchObject([{ kind: 'inserted' }]);
    const sealed = await reportAfter(async (tx) => {
      await put(tx);
      await tx`
        insert into audit_seals (position, audit_id, hash, key_id, sealed_at)
        select max(position) + 1, (select max(id) from audit_logs), repeat('0', 64), ${auditKeys()[0].id}, now()
        from audit_seals`;
    });
    expect(sealed.faults).toMatchObject([{ kind: 'changed' }, { kind: 'forged' }]);
  });

  it('detects by a recorded head that the end was cut off', async () => {
    await writeSealed('cut: one', 'cut: two');
    const { head } = await verifyAuditChain();
    expect(head).not.toBeNull();
    if (!head) return;
    expect(await verifyAuditChain(head)).toMatchObject({ isSound: true });
    expect(await verifyAuditChain({ ...head, hash: '0'.repeat(64) })).toMatchObject({ faults: [{ kind: 'head' }] });
  });

  it('refuses changes by the application and by the owner', async () => {
    await writeSealed('guarded');
    for (const statement of [
      'update audit_seals set hash = hash',
      'delete from audit_seals',
      'truncate audit_seals',
      'update audit_logs set details = details',
      'delete from audit_logs',
      'truncate audit_logs',
    ]) {
      await expect(db().execute(sql.raw(statement)), statement).rejects.toThrow();
      await expect(asOwner(statement), statement).rejects.toThrow('append-only');
    }
  });
});

describe('sealing', () => {
  it('neither waits for writers nor blocks them, and includes entries that commit late', async () => {
    let finish: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let written: (() => void) | undefined;
    const isWritten = new Promise<void>((resolve) => {
      written = resolve;
    });
    const slow = db().transaction(async (tx) => {
      await recordAudit(tx, actor, entry('late'));
      written?.();
      await held;
    });
    await isWritten;
    await recordAudit(db(), actor, entry('early'));
    expect(await sealAuditLogs()).toEqual({ sealed: 1 });
    finish?.();
    await slow;
    expect(await sealAuditLogs()).toEqual({ sealed: 1 });
    const order = await db()
      .select({ details: auditLogs.details })
      .from(auditSeals)
      .innerJoin(auditLogs, eq(auditLogs.id, auditSeals.auditId))
      .where(inArray(auditLogs.details, ['late', 'early']))
      .orderBy(asc(auditSeals.position));
    expect(order.map(({ details }) => details)).toEqual(['early', 'late']);
    expect((await verifyAuditChain()).isSound).toBe(true);
  });

  it('produces one chain when many seal during concurrent writes', async () => {
    const writers = Array.from({ length: 20 }, (_, index) => recordAudit(db(), actor, entry(`many ${index}`)));
    const sealers = Array.from({ length: 8 }, () => sealAuditLogs());
    await Promise.all([...writers, ...sealers]);
    await sealAuditLogs();
    expect(await verifyAuditChain()).toMatchObject({ isSound: true, waiting: 0 });
  });

  it('seals in batches without a gap, and goes on where a run ended', async () => {
    const before = (await verifyAuditChain()).sealed;
    await recordAudit(db(), actor, ...Array.from({ length: 1_300 }, (_, index) => entry(`batch ${index}`)));
    expect(await sealAuditLogs(auditKeys(), 700)).toEqual({ sealed: 700 });
    expect(await verifyAuditChain()).toMatchObject({ isSound: true, sealed: before + 700, waiting: 600 });
    expect(await sealAuditLogs()).toEqual({ sealed: 600 });
    expect(await verifyAuditChain()).toMatchObject({ isSound: true, sealed: before + 1_300, waiting: 0 });
  });

  it('leaves no seals when it is rolled back', async () => {
    await sealAuditLogs();
    const before = await verifyAuditChain();
    await expect(
      db().transaction(async (tx) => {
        await recordAudit(tx, actor, entry('undone'));
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');
    expect(await sealAuditLogs()).toEqual({ sealed: 0 });
    expect(await verifyAuditChain()).toEqual(before);
  });
});
