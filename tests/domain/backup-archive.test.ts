import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { backups } from '@/db/schema/backups';
import type { Actor } from '@/lib/auth/actor';
import { checkBackup } from '@/lib/backup/check';
import { restoreBackup } from '@/lib/backup/restore';
import { makeUser } from '../factories/make-user';
import { archiveOf, everything, makeBackup, makeHistory, uploadArchive, withBackups } from '../setup/backups';
import { expectSoundBooks } from '../setup/expect-sound-books';

const { second } = withBackups();
let admin: Actor;
beforeEach(async () => {
  admin = await makeUser('Admin');
});

describe('an archive', () => {
  it('that was changed, cut short, or signed with another key is refused, and nothing is kept of it', async () => {
    await makeHistory(admin);
    const archive = await archiveOf(admin, await makeBackup(admin));
    const tar = gunzipSync(archive);
    const listed = await db().$count(backups);
    const at = tar.indexOf('https://live.example.com/a');
    expect(at).toBeGreaterThan(0);
    const forged = Buffer.from(tar);
    forged.write('https://evil.example.com/a', at);
    const resigned = Buffer.from(tar);
    const manifestAt = resigned.indexOf('"madeBy": "http://localhost:3000"');
    resigned.write('"madeBy": "http://localhost:3001"', manifestAt);
    for (const bytes of [
      gzipSync(forged),
      gzipSync(resigned),
      archive.subarray(0, archive.length - 300),
      gzipSync(tar.subarray(0, tar.length / 2)),
      gzipSync(Buffer.from('no archive at all')),
      Buffer.from('not even compressed'),
    ]) {
      await expect(uploadArchive(admin, bytes)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    expect(await db().$count(backups)).toBe(listed);
  });

  it('of another version is kept, and refused with what to do first, in a fresh installation too', async () => {
    await makeHistory(admin);
    const archive = await archiveOf(admin, await makeBackup(admin));
    const versions = [
      // This installation is a migration ahead of the archive, has one less, and has as many of another kind.
      ["insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9e15)", 'Restore it into a fresh'],
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

  it('that a later version laid out otherwise is told as that, before it is read', async () => {
    const tar = gunzipSync(await archiveOf(admin, await makeBackup(admin)));
    const at = tar.indexOf('"formatVersion": 1');
    const later = Buffer.from(tar);
    later.write('"formatVersion": 2', at);
    await expect(uploadArchive(admin, gzipSync(later))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('newer version'),
    });
    const none = Buffer.from(tar);
    none.write('"formatVersion": x', at);
    await expect(uploadArchive(admin, gzipSync(none))).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('no backup'),
    });
  });

  it('that is damaged in the store changes nothing', async () => {
    const id = await makeBackup(admin);
    const path = join(process.env.DATA_DIR ?? '', 'content', 'backups', id);
    const bytes = await readFile(path);
    writeFileSync(path, Buffer.concat([bytes.subarray(0, bytes.length / 2), Buffer.alloc(bytes.length / 2)]));
    const before = await everything();
    await expect(restoreBackup(admin, { id })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await everything()).toEqual(before);
  });

  it('whose restoring is killed in the middle changes nothing', async () => {
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
