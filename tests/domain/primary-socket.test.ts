import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb, db } from '@/db/client';
import { isDatabaseUnavailable } from '@/db/database-errors';
import { connect, listFailingHosts } from '@/db/open-pool';
import type { AppError } from '@/lib/errors';
import { toAppError } from '@/lib/platform/http/error-response';

const own = new URL(process.env.DATABASE_URL ?? '');
const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
const closed = '127.0.0.1:9';

/** Accepts connections and does not answer, as a frozen server. */
let frozen: Server;
const sockets = new Set<Socket>();
beforeAll(async () => {
  frozen = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(frozen, 'listening');
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  frozen.close();
  await owner.end();
});

const frozenHost = () => {
  const address = frozen.address();
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
};
const among = (...hosts: string[]) => own.href.replace(own.host, hosts.join(','));
const setReadOnly = async (value: 'on' | 'off') =>
  owner.unsafe(`alter database "${own.pathname.slice(1)}" set default_transaction_read_only = ${value}`);
const failureOf = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => undefined,
    (thrown: unknown) => (thrown instanceof Error && 'code' in thrown ? thrown.code : thrown),
  );

it('the server that accepts writes is found without a delay beside a closed and a frozen one', async () => {
  const pool = connect(among(closed, frozenHost(), own.host), { max: 4 });
  const begin = performance.now();
  const rows = await Promise.all(Array.from({ length: 8 }, () => pool`select pg_sleep(0.02), 1 as found`));
  expect(rows.map(([row]) => row?.found)).toEqual(Array(8).fill(1));
  expect(performance.now() - begin).toBeLessThan(2_000);
  await pool.end({ timeout: 0 });
});

it('without a server that accepts writes a query fails, and the same pool works again later', async () => {
  const pool = connect(`${among(closed, own.host)}?target_session_attrs=read-write`, { max: 1, backoff: () => 0.01 });
  await setReadOnly('on');
  try {
    for (let time = 0; time < 3; time++) expect(await failureOf(pool`select 1`)).toBe('25006');
  } finally {
    await setReadOnly('off');
  }
  expect(await pool`select 1 as found`).toEqual([{ found: 1 }]);
  await pool.end();
});

it('a hanging server is reported as such, and unreachable ones at once', async () => {
  const hanging = connect(among(closed, frozenHost()), { max: 1 });
  expect(await failureOf(hanging`select 1`)).toBe('CONNECT_TIMEOUT');
  await hanging.end({ timeout: 0 });
  const gone = connect(among(closed, '127.0.0.1:19'), { max: 1 });
  const begin = performance.now();
  expect(await failureOf(gone`select 1`)).toBe('ECONNREFUSED');
  expect(performance.now() - begin).toBeLessThan(1_000);
  await gone.end();
});

it('a wrong password is reported, but not in place of an outage, and before a failover', async () => {
  const wrong = (...hosts: string[]) => among(...hosts).replace(own.password, 'wrong');
  for (const [url, code] of [
    [`${wrong(own.host)}?target_session_attrs=read-write`, '28P01'],
    [wrong(closed, own.host), 'ECONNREFUSED'],
    [wrong(frozenHost(), own.host), 'CONNECT_TIMEOUT'],
  ] as const) {
    const pool = connect(url, { max: 1 });
    const thrown: unknown = await pool`select 1`.then(
      () => undefined,
      (failure: unknown) => failure,
    );
    expect(thrown).toMatchObject({ code, message: expect.stringContaining('password authentication failed') });
    await pool.end({ timeout: 0 });
  }
  expect(await listFailingHosts(among(own.host, own.host))).toEqual([]);
  const failing = await listFailingHosts(among(own.host, closed));
  expect(failing.map(({ message }) => message)).toEqual([
    expect.stringMatching(/127\.0\.0\.1:9 cannot be used: .*ECONNREFUSED/),
  ]);
});

it('a pool is also replaced after a statement outside of a transaction met a read-only server', async () => {
  await db().execute(sql`select 1`);
  await db().execute(sql`set default_transaction_read_only = on`);
  const write = () => db().execute(sql`update users set name = name`);
  const failures: AppError[] = [];
  for (let time = 0; time < 20 && failures.length === 0; time++)
    await write().catch((thrown: unknown) => failures.push(toAppError(thrown, 'request')));
  expect(failures).toMatchObject([{ code: 'unavailable' }]);
  for (let time = 0; time < 20; time++) await write();
  await closeDb();
});

it('a pool whose server became read-only is replaced at the first change', async () => {
  await db().execute(sql`select 1`);
  await db().execute(sql`set default_transaction_read_only = on`);
  const write = () => db().transaction((tx) => tx.execute(sql`update users set name = name`));
  const failures: unknown[] = [];
  for (let time = 0; time < 20 && failures.length === 0; time++) await write().catch((thrown) => failures.push(thrown));
  expect(failures.map(isDatabaseUnavailable)).toEqual([true]);
  for (let time = 0; time < 20; time++) await write();
  await closeDb();
});
