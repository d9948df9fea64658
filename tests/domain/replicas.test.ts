import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { afterAll, expect, it } from 'vitest';
import { migrateDatabase } from '@/db/migrate';
import { startPostgres } from '@/scripts/postgres/start';
import { createTempFolder } from '@/scripts/testing/temp-folder';
import { runOnPool } from '@/tests/setup/run-on-pool';
import { promote, startStandby } from '@/tests/setup/standby';

// A primary and a replica of its own, because a standby copies all databases of a server.
const folder = createTempFolder('linkmarket-replicas-');
const dataDir = join(folder, 'data');
const options = { durable: false };
let server = await startPostgres(dataDir, options);
const { adminUrl, appUrl } = server;
await migrateDatabase(adminUrl);
const { copy } = await startStandby(dataDir, adminUrl, {
  stop: () => server.stop(),
  start: async () => {
    server = await startPostgres(dataDir, options);
  },
});
// Read when the modules below are first used.
Object.assign(process.env, {
  DATABASE_URL: appUrl,
  MIGRATION_DATABASE_URL: adminUrl,
  DATABASE_READ_URL: `${copy.appUrl}?target_session_attrs=standby`,
});

const { closeDb, db } = await import('@/db/client');
const { closeReplicas, onReplica } = await import('@/db/replicas');
const { openSnapshot, readSnapshot } = await import('@/db/snapshot');
const { announceTimeline, hasReplayed } = await import('@/db/write-position');
const { findActor } = await import('@/lib/auth/current-actor');
const { recordChange } = await import('@/lib/auth/record-change');
const { sessionCookieName } = await import('@/lib/auth/session-token');
const { openCatalogue } = await import('@/lib/sites/catalogue/catalogue');
const { freshForBuyer } = await import('@/lib/sites/catalogue/personal');
const { createSessionToken } = await import('@/tests/setup/session-token');
const { makeSite } = await import('@/tests/factories/make-site');
const { makeUser } = await import('@/tests/factories/make-user');

let again: Awaited<ReturnType<typeof startPostgres>> | undefined;
const owner = postgres(adminUrl, { max: 1, onnotice: () => undefined });
const replica = postgres(copy.adminUrl, { max: 1, onnotice: () => undefined });
afterAll(async () => {
  await Promise.all([owner.end(), replica.end(), closeReplicas(), closeDb()]);
  await Promise.all([server.stop(), again?.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Stops the replica from replaying during a part of a test. */
async function whilePaused(part: () => Promise<void>): Promise<void> {
  await replica`select pg_wal_replay_pause()`;
  try {
    await part();
  } finally {
    await replica`select pg_wal_replay_resume()`;
  }
}

type Reading = Parameters<Parameters<typeof onReplica>[1]>[0];
const isStandby = async (on: Pick<Reading, 'execute'>) => {
  const [row] = await on.execute(sql`select pg_is_in_recovery() as standby`);
  return row?.standby;
};

/** Signs a person in. @returns makes a request of the session and returns its actor, as route() does */
async function openPerson() {
  const { userId } = await makeUser();
  const token = await createSessionToken(userId);
  const cookies = { get: (name: string) => (name === sessionCookieName() ? { value: token } : undefined) };
  return async () => {
    const { actor } = await findActor({ cookies, headers: new Headers() });
    if (!actor) throw new Error('The session is not active.');
    return actor;
  };
}

const writer = await openPerson();
const other = await openPerson();

it('a request is read from a replica that has replayed what its person and the primary have written', async () => {
  await expect.poll(async () => onReplica(await writer(), isStandby)).toBe(true);
  await recordChange(await writer());
  await expect.poll(async () => onReplica(await writer(), isStandby)).toBe(true);
  // Without a position, as in a request that changes something, the primary is read.
  expect(await onReplica({ seen: undefined }, isStandby)).toBe(false);
});

it('while the replica lags, who changed something reads the primary, also in another session of the account', async () => {
  await owner`create table notes (line text)`;
  await owner`grant select on notes to linkmarket_app`;
  const lines = async (read: typeof writer) =>
    onReplica(await read(), async (on) => (await on.execute(sql`select line from notes`)).length);
  await expect.poll(() => lines(other)).toBe(0);
  await expect.poll(async () => onReplica(await other(), isStandby)).toBe(true);

  await whilePaused(async () => {
    await owner`insert into notes values ('of the writer')`;
    await recordChange(await writer());
    expect(await lines(writer)).toBe(1);
    // Others may lag by ten seconds, which a busy machine takes.
    const isRecent = hasReplayed({ written: '', primary: 'F' }, 10);
    const [row] = await drizzle(replica).execute(sql`select ${isRecent} as recent`);
    expect(await lines(other)).toBe(row?.recent === true ? 0 : 1);
    // A list without a limit is read from one connection.
    const snapshot = await openSnapshot(await writer());
    expect([snapshot.isReplica, await isStandby(snapshot.on)]).toEqual([false, false]);
    await snapshot.close();
  });
  await expect.poll(async () => onReplica(await writer(), isStandby)).toBe(true);
  expect(await lines(writer)).toBe(1);
  const streamed = await openSnapshot(await writer());
  expect([streamed.isReplica, await isStandby(streamed.on)]).toEqual([true, true]);
  await streamed.close();
  expect(await readSnapshot(await writer(), isStandby)).toBe(true);
});

it('others do not read a replica whose last transaction is too old while the primary is ahead', async () => {
  await expect.poll(async () => onReplica(await other(), isStandby)).toBe(true);
  const { seen } = await other();
  if (!seen) throw new Error('The position was not read.');
  const isFresh = async (lagSeconds: number, primary = seen.primary) => {
    const [row] = await drizzle(replica).execute(
      sql`select ${hasReplayed({ written: '', primary }, lagSeconds)} as fresh`,
    );
    return row?.fresh;
  };
  const ahead = `${seen.primary.slice(0, 8)}FFFFFFFF00000000`;
  await expect.poll(() => isFresh(0)).toBe(true);
  expect([await isFresh(0, ahead), await isFresh(3_600, ahead)]).toEqual([false, true]);
});

it('the catalog is read from a replica only at the version that the primary has', async () => {
  const seller = await makeUser('Seller');
  await makeSite(seller.userId, 10_000);
  const list = { limit: 30, sort: 'price', order: 'asc' } as const;
  const size = async () => (await (await openCatalogue()).page(list)).rows.length;
  expect(await size()).toBe(1);
  const personal = async () => {
    const { version } = await openCatalogue();
    return onReplica(freshForBuyer(version, await other()), isStandby);
  };
  await expect.poll(personal).toBe(true);
  await whilePaused(async () => {
    await makeSite(seller.userId, 20_000);
    expect(await size()).toBe(2);
    expect(await personal()).toBe(false);
  });
  await expect.poll(personal).toBe(true);
});

it('the read pool cannot write', async () => {
  const read = (on: Reading) => on.execute(sql`create temporary table written (id int)`);
  await expect.poll(async () => onReplica(await writer(), isStandby)).toBe(true);
  await expect(onReplica(await writer(), read)).rejects.toMatchObject({ cause: { code: '25006' } });
});

it('a read that conflicts with replication is repeated on the primary', async () => {
  await replica`alter system set max_standby_streaming_delay = 0`;
  await replica`select pg_reload_conf()`;
  await expect.poll(async () => onReplica(await writer(), isStandby)).toBe(true);
  const servers: unknown[] = [];
  const found = await onReplica(await writer(), async (on) => {
    servers.push(await isStandby(on));
    const lines = await on.execute(sql`select line from notes`);
    if (servers.length === 1) {
      await owner`truncate notes`;
      await on.execute(sql`select pg_sleep(10)`);
    }
    return lines.length;
  });
  expect({ servers, found }).toEqual({ servers: [true, false], found: 0 });
});

it('a replica that is down is not noticed, and is read again later', async () => {
  await copy.stop();
  expect(await onReplica(await writer(), isStandby)).toBe(false);
  const streamed = await openSnapshot(await writer());
  expect(streamed.isReplica).toBe(false);
  await streamed.close();
  again = await startPostgres(join(folder, 'standby'));
  await expect.poll(async () => onReplica(await writer(), isStandby)).toBe(true);
});

it('after a failover, a server that stayed on the old timeline is not read, however far it has written', async () => {
  await replica.end();
  await promote(copy.adminUrl);
  await owner`create table lost as select generate_series(1, 100000) as id`;
  const promoted = postgres(copy.appUrl, { max: 2, onnotice: () => undefined });
  await runOnPool(promoted, async () => {
    const before = await writer();
    await recordChange(before);
    const { seen } = await writer();
    if (!seen) throw new Error('The position was not read.');
    await announceTimeline(seen);
    const isFreshOn = async (on: Pick<Reading, 'execute'>) => {
      const [row] = await on.execute(sql`select ${hasReplayed(seen)} as fresh`);
      return row?.fresh;
    };
    expect(seen.written.slice(0, 8)).toBe('00000002');
    await expect.poll(() => isFreshOn(db())).toBe(true);
    expect(await isFreshOn(drizzle(owner))).toBe(false);
    // What was written before the failover is on the new timeline whole.
    expect(before.seen?.written.slice(0, 8)).toBe('00000001');
    expect(before.seen && seen.primary > before.seen.written).toBe(true);
  });
  await promoted.end();
});
