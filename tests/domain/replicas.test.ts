import { randomUUID } from 'node:crypto';
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
const { closeReplicas, onReplica, reportReplicas } = await import('@/db/replicas');
const { openSnapshot, readSnapshot } = await import('@/db/snapshot');
const { hasReplayed } = await import('@/db/write-position');
const { findActor } = await import('@/lib/auth/current-actor');
const { env } = await import('@/lib/env');
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
    // Until then it may replay what follows.
    await expect
      .poll(async () => (await replica`select pg_get_wal_replay_pause_state() as state`)[0]?.state)
      .toBe('paused');
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

/** A position that no server reaches. */
const far = 'FFFFFFFF/0';
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
  // Until the replica has the table, a read of it is repeated on the primary.
  await expect.poll(async () => (await replica`select to_regclass('notes') as name`)[0]?.name).toBe('notes');
  await expect.poll(async () => onReplica(await other(), isStandby)).toBe(true);

  await whilePaused(async () => {
    await owner`insert into notes values ('of the writer')`;
    await recordChange(await writer());
    expect(await lines(writer)).toBe(1);
    // Others may lag by ten seconds, which a busy machine takes.
    const { seen } = await other();
    if (!seen) throw new Error('The position was not read.');
    const isRecent = hasReplayed({ ...seen, primary: far });
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
    const [row] = await drizzle(replica).execute(sql`select ${hasReplayed({ ...seen, primary }, lagSeconds)} as fresh`);
    return row?.fresh;
  };
  await expect.poll(() => isFresh(0)).toBe(true);
  expect([await isFresh(0, far), await isFresh(3_600, far)]).toEqual([false, true]);
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

it('a server that does not show the mark of the primary is reported once, and again when it does', async () => {
  // Forgets what was reported while the replica had not replayed the mark.
  await closeReplicas();
  await expect.poll(async () => onReplica(await writer(), isStandby)).toBe(true);
  const lines: string[] = [];
  reportReplicas((level, { replica: host }, message) => lines.push(`${level} ${host} ${message.split(',')[0]}`));
  const { seen } = await writer();
  if (!seen) throw new Error('The position was not read.');
  const [ofOther, host] = [{ ...seen, mark: randomUUID() }, new URL(copy.appUrl).host];
  for (const proof of [undefined, sql<boolean>`false`, undefined])
    expect(await onReplica({ seen: ofOther, proof }, isStandby)).toBe(false);
  // This one proves nothing about the server.
  await onReplica({ proof: sql<boolean>`true` }, isStandby);
  expect(lines).toEqual([`warn ${host} A server is no replica of the primary`]);
  await expect.poll(async () => onReplica(await writer(), isStandby)).toBe(true);
  expect(lines.slice(1)).toEqual([`info ${host} The replica can be read again.`]);
  reportReplicas(() => undefined);
});

it('the read pool cannot write', async () => {
  const read = (on: Reading) => on.execute(sql`create temporary table written (id int)`);
  await expect.poll(async () => onReplica(await writer(), isStandby)).toBe(true);
  await expect(onReplica(await writer(), read)).rejects.toMatchObject({ cause: { code: '25006' } });
});

it('while all connections of a replica read, another read does not wait for one', async () => {
  await recordChange(await writer());
  await expect.poll(async () => onReplica(await writer(), isStandby)).toBe(true);
  const actor = await writer();
  const max = env().DATABASE_POOL_MAX;
  let [started, end]: [number, () => void] = [0, () => undefined];
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const reads = Array.from({ length: max }, () =>
    onReplica(actor, async (on) => {
      const found = await isStandby(on);
      started += 1;
      await ended;
      return found;
    }),
  );
  await expect.poll(() => started).toBe(max);
  expect(await onReplica(actor, isStandby)).toBe(false);
  end();
  expect(await Promise.all(reads)).toEqual(reads.map(() => true));
  expect(await onReplica(actor, isStandby)).toBe(true);
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

it('a server of another installation is not read, however far it has written, nor a copy that was promoted', async () => {
  const isFreshOn = async (on: Pick<Reading, 'execute'>, seen: Awaited<ReturnType<typeof writer>>['seen']) => {
    if (!seen) throw new Error('The position was not read.');
    const [row] = await on.execute(sql`select ${hasReplayed({ ...seen, written: '0/0', primary: '0/0' })} as fresh`);
    return row?.fresh;
  };
  const { seen } = await writer();
  expect(await isFreshOn(db(), seen)).toBe(true);
  await expect.poll(() => isFreshOn(drizzle(replica), seen)).toBe(true);
  // As the servers of an installation with the same tables, which also mark their timelines.
  const asOther = db().transaction(async (tx) => {
    await tx.execute(sql`update database_timelines set mark = gen_random_uuid()`);
    expect(await isFreshOn(tx, seen)).toBe(null);
    await tx.execute(sql`delete from database_timelines`);
    expect(await isFreshOn(tx, seen)).not.toBe(true);
    tx.rollback();
  });
  await expect(asOther).rejects.toThrow('Rollback');
  await replica.end();
  await promote(copy.adminUrl);
  const promoted = postgres(copy.appUrl, { max: 2, onnotice: () => undefined });
  expect(await isFreshOn(drizzle(promoted), seen)).not.toBe(true);

  // After a failover to it, the old server is not read either.
  await owner`create table lost as select generate_series(1, 100000) as id`;
  await recordChange(await writer());
  await runOnPool(promoted, async () => {
    expect((await writer()).seen?.mark).toBe('');
    const afterFailover = async () => {
      const actor = await writer();
      await onReplica(actor, isStandby);
      return actor.seen?.mark;
    };
    await expect.poll(afterFailover).toMatch(/^[\da-f-]{36}$/);
    const { seen: now } = await writer();
    expect(now?.written).toBe('0/0');
    expect(now?.mark).not.toBe(seen?.mark);
    expect([await isFreshOn(db(), now), await isFreshOn(drizzle(owner), now)]).toEqual([true, null]);
  });
  await promoted.end();
});
