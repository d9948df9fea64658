import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { createElement } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { backups } from '@/db/schema/backups';
import { mails } from '@/db/schema/mails';
import type { Actor } from '@/lib/access/actor';
import { checkBackup } from '@/lib/backup/check';
import { restoreBackup } from '@/lib/backup/restore';
import { env } from '@/lib/env';
import { newId } from '@/lib/ids';
import { queueMail } from '@/lib/mail/compose';
import { parseKeyRing } from '@/lib/platform/secrets';
import { makeUser } from '@/tests/factories/make-user';
import { decrypted, type Entry, encrypted, entriesOf, packed } from '@/tests/setup/archives';
import { archiveOf, everything, makeBackup, makeHistory, uploadArchive, withBackups } from '@/tests/setup/backups';
import { expectSoundBooks } from '@/tests/setup/expect-sound-books';

const { second } = withBackups();
let admin: Actor;
beforeEach(async () => {
  admin = await makeUser('Admin');
});

const forged = (entry: Entry, was: string, is: string): Entry => ({
  ...entry,
  bytes: Buffer.from(entry.bytes.toString('latin1').replaceAll(was, is), 'latin1'),
});

describe('an archive', () => {
  it('that is changed, truncated, unencrypted or encrypted with other keys is rejected', async () => {
    await makeHistory(admin);
    const archive = await archiveOf(admin, await makeBackup(admin));
    const listed = await db().$count(backups);
    const forged = Buffer.from(archive);
    const middle = Math.floor(forged.length / 2);
    forged.writeUInt8(forged.readUInt8(middle) ^ 1, middle);
    const plain = await decrypted(archive);
    const otherKeys = parseKeyRing(`k1:${randomBytes(32).toString('base64')}`);
    for (const bytes of [
      forged,
      plain,
      await encrypted(plain, otherKeys),
      archive.subarray(0, archive.length - 300),
      archive.subarray(0, 100),
      Buffer.from('no archive at all'),
      Buffer.alloc(0),
    ]) {
      await expect(uploadArchive(admin, bytes)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    expect(await db().$count(backups)).toBe(listed);
  });

  it('is unreadable without the keys, and contains no mail bodies', async () => {
    await makeHistory(admin);
    const body = () => createElement('p', null, 'https://x.example/reset?token=of-a-waiting-mail');
    await queueMail(db(), { kind: 'test', to: admin.email, subject: 'Set a new password', body });
    const archive = await archiveOf(admin, await makeBackup(admin));
    const tar = gunzipSync(await decrypted(archive));
    expect(tar.includes('Set a new password')).toBe(true);
    expect(tar.includes('of-a-waiting-mail')).toBe(false);
    const [mail] = await db().select().from(mails).where(eq(mails.recipient, admin.email));
    expect(tar.includes(mail?.sealedBody ?? '')).toBe(false);
    for (const word of ['live.example.com', admin.email, 'manifest.json', 'public.users']) {
      expect(tar.includes(word)).toBe(true);
      expect(archive.includes(word)).toBe(false);
    }
  });

  it('with content that differs from its manifest is rejected, even from a key holder', async () => {
    await makeHistory(admin);
    const tar = gunzipSync(await decrypted(await archiveOf(admin, await makeBackup(admin))));
    const entries = await entriesOf(tar);
    const [manifest] = entries.splice(-1);
    if (!manifest) throw new Error('The archive has no manifest.');
    const [first, ...others] = entries;
    if (!first) throw new Error('The archive has no tables.');
    const forgeries: [what: string, entries: Entry[]][] = [
      ['a changed row', [...entries.map((entry) => forged(entry, 'https://live.', 'https://evil.')), manifest]],
      ['a changed manifest', [...entries, forged(manifest, '"formatVersion": 2', '"formatVersion": 3')]],
      ['one table less', [...others, manifest]],
      ['one table more', [...entries, { name: 'tables/public.extra/000001', bytes: Buffer.from('1\n') }, manifest]],
      ['one file more', [...entries, { name: `files/orders/1/${newId()}`, bytes: Buffer.from('x') }, manifest]],
      ['an unknown name', [{ name: 'about.json', bytes: Buffer.from('{}') }, ...entries, manifest]],
      ['a path', [{ name: '../../etc/passwd', bytes: Buffer.from('x') }, ...entries, manifest]],
      ['no manifest', entries],
      ['something behind the manifest', [...entries, manifest, first]],
      ['a huge piece', [{ name: first.name, bytes: Buffer.alloc(1_000_001, 'a') }, ...entries, manifest]],
      ['a huge manifest', [...entries, { name: manifest.name, bytes: Buffer.alloc(1_000_001, ' ') }]],
    ];
    for (const [what, forgery] of forgeries) {
      const bytes = await encrypted(gzipSync(await packed(forgery)));
      await expect(uploadArchive(admin, bytes), what).rejects.toMatchObject({ code: 'invalid_input' });
    }
    // Packed again unchanged, it is accepted.
    await uploadArchive(admin, await encrypted(gzipSync(await packed([...entries, manifest]))));
  });

  it('is decrypted by the command with only the keys', async () => {
    const archive = await archiveOf(admin, await makeBackup(admin));
    const folder = mkdtempSync(join(process.env.DATA_DIR ?? tmpdir(), 'opened-'));
    const file = join(folder, 'kept.lmbackup');
    writeFileSync(file, archive);
    const run = (keys: string, ...args: string[]) =>
      promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/backup-decrypt.ts', ...args], {
        env: { PATH: process.env.PATH ?? '', NODE_ENV: 'test', SECRET_KEYS: keys },
      });
    const otherKeys = `k1:${randomBytes(32).toString('base64')}`;
    await expect(run(otherKeys, file)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/not in SECRET_KEYS/),
    });
    expect(readdirSync(folder)).toEqual(['kept.lmbackup']);
    await run(env().SECRET_KEYS, file);
    const names = (await entriesOf(gunzipSync(await readFile(join(folder, 'kept.tar.gz'))))).map(({ name }) => name);
    expect(names).toContain('tables/public.users/000001');
    await expect(run(env().SECRET_KEYS, file)).rejects.toMatchObject({
      stderr: expect.stringMatching(/already exists/),
    });
    rmSync(folder, { recursive: true });
  });

  it('of another version is stored, and rejected with the necessary steps', async () => {
    await makeHistory(admin);
    const archive = await archiveOf(admin, await makeBackup(admin));
    const versions = [
      // This installation has one migration more than the archive, one less, and different ones.
      ["insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9e15)", 'Restore it to a new'],
      [
        'delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)',
        'Update this installation first',
      ],
      [
        "update drizzle.__drizzle_migrations set hash = 'other' where created_at = (select max(created_at) from drizzle.__drizzle_migrations)",
        'another edition',
      ],
    ] as const;
    for (const [change, advice] of versions) {
      const there = await second();
      await there.owner.unsafe(change);
      await there.run(async () => {
        const owner = await makeUser('Admin');
        const { id } = await uploadArchive(owner, archive);
        const before = await everything();
        expect(await checkBackup(owner, { id })).toMatchObject({
          refusal: expect.stringContaining(advice),
          books: null,
          changes: [],
        });
        const refused = { code: 'conflict', message: expect.stringContaining(advice) };
        await expect(restoreBackup(owner, { id })).rejects.toMatchObject(refused);
        expect(await everything()).toEqual(before);
      });
    }
  });

  it('with the layout of a later version is recognized', async () => {
    const tar = gunzipSync(await decrypted(await archiveOf(admin, await makeBackup(admin))));
    const entries = await entriesOf(tar);
    const later = entries.map((entry) => forged(entry, '"formatVersion": 2', '"formatVersion": 3'));
    await expect(uploadArchive(admin, await encrypted(gzipSync(await packed(later))))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('newer version'),
    });
  });

  it('damaged in the store changes nothing', async () => {
    const id = await makeBackup(admin);
    const path = join(process.env.DATA_DIR ?? '', 'content', 'backups', id);
    const bytes = await readFile(path);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, bytes.length / 2), Buffer.alloc(bytes.length / 2)]));
    const before = await everything();
    await expect(restoreBackup(admin, { id })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await everything()).toEqual(before);
  });

  it('leaves the database unchanged when its restore is killed', async () => {
    await makeHistory(admin);
    const archive = await archiveOf(admin, await makeBackup(admin));
    const there = await second();
    await there.run(async () => {
      const actor = await makeUser('Admin');
      const { id } = await uploadArchive(actor, archive);
      // Holds the restore after it emptied the tables, while it fills them.
      await there.owner.unsafe(`
        create function public.wait_at_the_gate() returns trigger language plpgsql as
          $$ begin perform pg_advisory_xact_lock_shared(4712); return new; end $$;
        create trigger a_gate before insert on public.orders for each row execute function public.wait_at_the_gate();`);
      const before = await everything();
      const holder = await there.owner.reserve();
      await holder`select pg_advisory_lock(4712)`;
      const restoring = restoreBackup(actor, { id }).then(
        () => 'restored',
        () => 'failed',
      );
      const held = () => there.owner`
        select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;
      await expect.poll(held).toHaveLength(1);
      for (const { pid } of await held()) await there.owner`select pg_terminate_backend(${pid})`;
      expect(await restoring).toBe('failed');
      await holder`select pg_advisory_unlock(4712)`;
      holder.release();
      expect(await everything()).toEqual(before);
      await there.owner.unsafe('drop function public.wait_at_the_gate cascade');
      await restoreBackup(actor, { id });
      await expectSoundBooks();
    });
  });
});
