import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
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

it('ends a transaction with what failed first, not with a later statement of the same turn', async () => {
  const failing = database.transaction((tx) =>
    Promise.all([
      tx.execute(sql`select 1 / 0`).catch(async (thrown: unknown) => {
        await setTimeout(20);
        throw thrown;
      }),
      tx.execute(sql`select 1`),
    ]),
  );
  await expect(failing).rejects.toMatchObject({ code: '22012' });
});
