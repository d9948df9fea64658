import { sql } from 'drizzle-orm';
import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { toAppError } from '@/lib/platform/http/error-response';

const boundSchema = z.tuple([z.object({ bound: z.string() })]);

async function boundOf(executor: Executor): Promise<string> {
  const rows = await executor.execute(sql`select current_setting('statement_timeout') as bound`);
  return boundSchema.parse([...rows])[0].bound;
}

it('limits a statement to half a minute; longer work raises the limit for its transaction', async () => {
  expect(await boundOf(db())).toBe('30s');
  await db().transaction(async (tx) => {
    await extendStatementTimeout(tx);
    expect(await boundOf(tx)).toBe('1h');
  });
  expect(await boundOf(db())).toBe('30s');
});

it("behind a pooler that rejects the setting, the role's own timeout applies", async () => {
  vi.resetModules();
  vi.stubEnv('DATABASE_PREPARE', 'off');
  const { openPool } = await import('@/db/open-pool');
  const pool = openPool(1);
  expect(await pool`select current_setting('statement_timeout') as statement`).toEqual([{ statement: '0' }]);
  await pool.end({ timeout: 0 });
  vi.unstubAllEnvs();
});

it('returns a timeout error to the caller of a cancelled statement', async () => {
  const late = db().transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '10ms'`);
    await tx.execute(sql`select pg_sleep(30)`);
  });
  const error = toAppError(await late.catch((thrown: unknown) => thrown), 'a request');
  expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('was canceled') });
});

it('an opened circuit rejects waiting statements, transactions and queued callers', async () => {
  const { openPool } = await import('@/db/open-pool');
  const pool = openPool(1);
  const transaction = pool.begin(async (tx) => {
    await tx`select ${1}::int, pg_sleep(30)`;
  });
  const queued = pool`select 1`;
  const refused = Promise.allSettled([transaction, queued.execute()]);
  await expect
    .poll(
      async () =>
        [
          ...(await db().execute(
            sql`select 1 from pg_stat_activity where query like '%pg_sleep(30)%' and pid <> pg_backend_pid()`,
          )),
        ].length,
    )
    .toBe(1);
  await pool.end({ timeout: 0 });
  expect(await refused).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
});
