import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { closeCircuit, db, openCircuit } from '@/db/client';
import { settings, settingsStamps } from '@/db/schema/settings';
import { getSettings, readSettings } from '@/lib/settings/settings';

const write = (value: number, on: Pick<ReturnType<typeof db>, 'insert'> = db(), key = 'counter') =>
  on.insert(settings).values({ key, value }).onConflictDoUpdate({ target: settings.key, set: { value } });
const read = async (key = 'counter') => (await getSettings()).get(key)?.value;

describe('the settings that a process keeps', () => {
  it('are those of the last commit, whatever wrote it', async () => {
    for (let value = 1; value <= 3; value++) {
      await write(value);
      expect(await read()).toBe(value);
    }
    const [kept, again] = [await getSettings(), await getSettings()];
    expect(again).toBe(kept);
    expect(kept.get('counter')?.updatedAt).toBeInstanceOf(Date);
    await db().delete(settings);
    expect(await read()).toBeUndefined();
    await write(7);
    await db().execute(sql`select restoring.clear_tables(array['settings'])`);
    expect(await read()).toBeUndefined();
  });

  it('do not contain what a transaction has not committed', async () => {
    await write(1);
    await db().transaction(async (tx) => {
      await write(2, tx);
      expect(await read()).toBe(1);
    });
    expect(await read()).toBe(2);
    const undone = db().transaction(async (tx) => {
      await write(3, tx);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await read()).toBe(2);
  });

  it('are read again after a read that failed', async () => {
    await write(1);
    expect(await read()).toBe(1);
    await write(2);
    await openCircuit();
    await expect(read()).rejects.toThrow('PostgreSQL does not respond.');
    closeCircuit();
    expect(await read()).toBe(2);
  });

  it('are not what a transaction decides by', async () => {
    await write(1);
    expect(await read()).toBe(1);
    await db().transaction(async (tx) => {
      await write(2, tx);
      expect((await readSettings(tx)).get('counter')?.value).toBe(2);
    });
  });

  it('are those of concurrent writers in whatever order they commit', async () => {
    const commits: (() => void)[] = [];
    const writers = await Promise.all(
      ['a', 'b', 'c'].map(async (key, index) => {
        let report: () => void = () => undefined;
        const written = new Promise<void>((resolve) => {
          report = resolve;
        });
        const mayCommit = new Promise<void>((resolve) => {
          commits[index] = resolve;
        });
        const done = db().transaction(async (tx) => {
          await write(index, tx, key);
          report();
          await mayCommit;
        });
        // Would never come if a writer waited for another one.
        await written;
        return { key, index, done };
      }),
    );
    for (const { key, index, done } of writers.reverse()) {
      expect(await read(key)).toBeUndefined();
      commits[index]?.();
      await done;
      expect(await read(key)).toBe(index);
    }
    expect((await db().select().from(settingsStamps)).length).toBeLessThanOrEqual(5);
  });
});
