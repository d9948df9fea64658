import { desc, eq } from 'drizzle-orm';
import { beforeAll, expect, it, vi } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { mails } from '@/db/schema/mails';
import { type Actor, systemActor } from '@/lib/access/actor';
import { getHeadSetting, headSettingInput, publishAuditHead, setHeadSetting } from '@/lib/audit/head';
import { verifyAuditChain } from '@/lib/audit/verify-chain';
import { openBody } from '@/lib/mail/compose';
import { recordAudit } from '@/lib/platform/audit/record';
import { log } from '@/lib/platform/log/log';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeUser } from '@/tests/factories/make-user';
import { unguarded } from '@/tests/setup/audit-tampering';

const info = vi.spyOn(log(), 'info').mockReturnValue(undefined);

let admin: Actor;
beforeAll(async () => {
  admin = await makeUser('Admin');
});

const write = (details: string) =>
  recordAudit(db(), systemActor('Test', 'script'), {
    action: 'test.happened',
    details,
    entityType: 'test',
    entityId: '1',
  });

const set = async (recipients: string, isLogged: boolean) =>
  setHeadSetting(admin, headSettingInput.parse({ recipients, isLogged, version: (await getHeadSetting()).version }));

const sent = async () => {
  const rows = await db().select().from(mails).where(eq(mails.kind, 'audit-head')).orderBy(desc(mails.id));
  return rows.map(({ id, recipient, subject, sealedBody }) => ({
    ...{ recipient, subject },
    text: openBody(id, sealedBody ?? '').text.replace(/\s+/g, ' '),
  }));
};

it('logs the head by default, and mails it to the configured addresses', async () => {
  await write('first');
  expect(await publishAuditHead()).toEqual({ mailed: 0 });
  expect(info).toHaveBeenCalledWith(
    { head: expect.stringMatching(/^1:[0-9a-f]{64} /), waiting: 0 },
    expect.any(String),
  );
  await set('one@proof.example, TWO@proof.example\none@proof.example', false);
  info.mockClear();
  expect(await publishAuditHead()).toEqual({ mailed: 2 });
  expect(info).not.toHaveBeenCalled();
  expect(
    (await sent())
      .filter(({ subject }) => subject === 'Audit log head')
      .map((mail) => mail.recipient)
      .sort(),
  ).toEqual(['one@proof.example', 'two@proof.example']);
});

it('a mailed head proves later that nothing was cut off or replaced', async () => {
  await write('cut off later');
  await publishAuditHead();
  const mailed = (await sent()).find(({ subject }) => subject === 'Audit log head')?.text ?? '';
  const [, position, hash = ''] = /--head=(\d+):([0-9a-f]{64})/.exec(mailed) ?? [];
  const head = { position: Number(position), hash };
  await write('after the mail');
  expect(await verifyAuditChain(head)).toMatchObject({ isSound: true });
  await unguarded(async (tx) => {
    await tx`delete from audit_logs where id >= (select audit_id from audit_seals where position = ${head.position})`;
    await tx`delete from audit_seals where position >= ${head.position}`;
    await tx`delete from audit_unsealed`;
  });
  expect(await verifyAuditChain()).toMatchObject({ isSound: true });
  expect(await verifyAuditChain(head)).toMatchObject({ faults: [{ kind: 'head' }] });
});

it('allows more destinations with ManageSettings, fewer by an Admin only, who all are mailed', async () => {
  const staff = await makeStaff('ManageSettings');
  const setAs = async (actor: Actor, recipients: string, isLogged: boolean) =>
    setHeadSetting(actor, headSettingInput.parse({ recipients, isLogged, version: (await getHeadSetting()).version }));
  const { recipients } = await getHeadSetting();
  await setAs(staff, recipients.join(), true);
  await expect(setAs(staff, recipients.join(), false)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(setAs(staff, recipients.slice(1).join(), true)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await getHeadSetting()).toMatchObject({ recipients, isLogged: true });
  const notices = () => db().$count(mails, eq(mails.kind, 'security-notice'));
  const before = await notices();
  await setAs(admin, recipients.join(), false);
  expect(await notices()).toBe(before + 1);
});

it('audits a disabled publication, and its last mail names the actor and the head', async () => {
  await publishAuditHead();
  await set('', false);
  const [last, ...others] = (await sent()).filter(({ subject }) => subject === 'The daily audit log email was changed');
  expect(others.length).toBeGreaterThan(0);
  expect(last?.text).toContain(`${admin.email} changed it.`);
  expect(last?.text).toContain('is written daily to nowhere');
  expect(last?.text).toMatch(/Current head: \d+:[0-9a-f]{64}/);
  const [line] = await db().select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1);
  expect(line).toMatchObject({
    action: 'audit.head_setting_changed',
    userId: admin.userId,
    before: { recipients: ['one@proof.example', 'two@proof.example'] },
    after: { recipients: [], isLogged: false },
  });
  expect(await publishAuditHead()).toEqual({ mailed: 0 });
});

it('accepts at most five addresses, all valid', async () => {
  const input = (recipients: string) => headSettingInput.safeParse({ recipients, isLogged: true, version: 0 }).success;
  expect(input(Array.from({ length: 6 }, (_, index) => `a${index}@proof.example`).join())).toBe(false);
  expect(input('nonsense')).toBe(false);
  expect(input('')).toBe(true);
  const { version } = await getHeadSetting();
  await set('', true);
  await expect(setHeadSetting(admin, { recipients: [], isLogged: false, version })).rejects.toMatchObject({
    code: 'conflict',
  });
});
