import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  date,
  doublePrecision,
  integer,
  jsonb,
  numeric,
  pgTable,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { afterAll, expect, it } from 'vitest';
import { env } from '@/lib/env';
import { openCountingProxy } from '@/tests/setup/counting-proxy';

const proxy = await openCountingProxy(env().DATABASE_URL);
const client = postgres(proxy.url, { max: 1, onnotice: () => undefined });
const database = drizzle(client);

afterAll(async () => {
  await client.end();
  proxy.close();
});

const at = new Date('2026-03-04T05:06:07.890Z');

it('sends a statement in one round trip, whatever types PostgreSQL infers for its parameters', async () => {
  await database.execute(sql`select 1`);
  proxy.count();
  const [row] = await database.execute(sql`
    select ${'a “b” \\ c'}::text as text, ${'7'}::int + 1 as sum, ${2.5}::numeric * 2 as product, ${true} as yes,
      ${false}::boolean as no, ${null}::text as nothing, ${9_007_199_254_740_993n}::text as large,
      ${'{"a":[1]}'}::jsonb -> 'a' as json, ${at.toISOString()}::timestamptz = ${at.toISOString()} as equal,
      ${'{1,2}'}::int[] as list`);
  expect(row).toEqual({
    ...{ text: 'a “b” \\ c', sum: 8, product: '5.0', yes: true, no: false, nothing: null },
    ...{ large: '9007199254740993', json: [1], equal: true, list: [1, 2] },
  });
  expect(proxy.count()).toEqual({ statements: 1, roundTrips: 1 });
});

it('asks for the types where the driver needs them, and goes on after a statement that fails', async () => {
  proxy.count();
  const [row] = await client`select ${['a', 'b']}::text[] as list, ${Buffer.from('x')}::bytea as bytes`;
  expect(row).toEqual({ list: ['a', 'b'], bytes: Buffer.from('x') });
  expect(proxy.count()).toEqual({ statements: 1, roundTrips: 2 });
  await expect(database.execute(sql`select ${'x'}::int`)).rejects.toMatchObject({ cause: { code: '22P02' } });
  await expect(database.execute(sql`select ${'x'} from nothing`)).rejects.toMatchObject({ cause: { code: '42P01' } });
  const results = await Promise.all([1, 2, 3].map((value) => database.execute(sql`select ${value}::int as value`)));
  expect(results.map(([row]) => row)).toEqual([{ value: 1 }, { value: 2 }, { value: 3 }]);
});

const kinds = pgTable('kinds', {
  text: text(),
  integer: integer(),
  large: bigint({ mode: 'bigint' }),
  numeric: numeric(),
  real: doublePrecision(),
  boolean: boolean(),
  day: date(),
  at: timestamp({ withTimezone: true }),
  json: jsonb(),
  texts: text().array(),
  integers: integer().array(),
  dates: timestamp({ withTimezone: true }).array(),
  bytes: customType<{ data: Buffer }>({ dataType: () => 'bytea' })(),
});
const nothing = {
  ...{ text: null, integer: null, large: null, numeric: null, real: null, boolean: null, day: null, at: null },
  ...{ json: null, texts: null, integers: null, dates: null, bytes: null },
};
const examples: (typeof kinds.$inferSelect)[] = [
  {
    ...{ text: '{"a “b” \\ c}', integer: -7, large: 9_007_199_254_740_993n, numeric: '2.50', real: 1e-7 },
    ...{ boolean: true, day: '2026-03-04', at, json: { list: [1, null, 'true'] }, texts: ['a,b', '"', '{}', ''] },
    ...{ integers: [1, -2], dates: [at], bytes: Buffer.from([0, 92, 255]) },
  },
  {
    ...{ text: '', integer: 0, large: 0n, numeric: '0', real: 0, boolean: false, day: '0001-01-01', at: new Date(0) },
    ...{ json: 'a text', texts: [], integers: [], dates: [], bytes: Buffer.alloc(0) },
  },
  nothing,
  ...[['1'], [], 5, false, ''].map((json) => ({ ...nothing, json })),
];

it.each([true, false])('keeps the values of every type, first and again, with prepare: %s', async (prepare) => {
  const own = postgres(env().DATABASE_URL, { max: 1, onnotice: () => undefined, prepare });
  try {
    const on = drizzle(own);
    await on.execute(sql`create temporary table kinds (text text, integer int, large bigint, "numeric" numeric,
      real float8, boolean boolean, day date, at timestamptz, json jsonb, texts text[], integers int[],
      dates timestamptz[], bytes bytea)`);
    for (const example of [...examples, ...examples]) {
      await on.delete(kinds);
      await on.insert(kinds).values(example);
      await on.insert(kinds).values(example).prepare('kinds').execute();
      expect(await on.select().from(kinds)).toEqual([example, example]);
    }
  } finally {
    await own.end();
  }
});

it('ends a transaction with what failed first, not with a later statement of the same turn', async () => {
  const failing = database.transaction(async (tx) => {
    const first = tx.execute(sql`select 1 / 0`).catch(() => undefined);
    await Promise.all([tx.execute(sql`select 1`), first]);
  });
  await expect(failing).rejects.toMatchObject({ code: '22012' });
});
