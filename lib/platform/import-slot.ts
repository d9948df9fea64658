import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import type { Transaction } from '@/db/transaction';
import { AppError } from '@/lib/errors';

/** The number of concurrent imports over all instances. Each import holds a connection of a small pool. */
const slots = 2;
const maxWaitMs = 120_000;
const pollIntervalMs = 200;

/** Keys of the advisory locks; unique within this application. */
const ownerLocks = 77_001;
const slotLocks = 77_002;

const lockResult = z.tuple([z.object({ taken: z.boolean() })]);

/**
 * Runs `write` in one transaction once an import slot is free. Imports of one owner run one at a time, which prevents
 * deadlocks between them; the number of slots limits imports overall. Waiting holds no connection.
 * @param signal cancels the wait
 * @throws AppError conflict if no slot becomes free within two minutes
 */
export async function withImportSlot<T>(
  ownerId: string,
  signal: AbortSignal | undefined,
  write: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + maxWaitMs;
  for (;;) {
    const result = await db().transaction(async (tx) => {
      if (!(await tryAcquireLocks(tx, ownerId))) return null;
      await extendStatementTimeout(tx);
      return { done: await write(tx) };
    });
    if (result) return result.done;
    if (Date.now() > deadline) {
      throw new AppError('conflict', 'Other imports are still running. Try again in a minute.', {
        retryAfterSeconds: 60,
      });
    }
    if (signal?.aborted) throw importCancelledError();
    await pause(pollIntervalMs);
  }
}

async function tryAcquireLocks(tx: Executor, ownerId: string): Promise<boolean> {
  // `case` evaluates its branches in order and stops at the first lock acquired.
  const slot = sql.join(
    Array.from({ length: slots }, (_, at) => sql`when pg_try_advisory_xact_lock(${slotLocks}, ${at}) then true`),
    sql` `,
  );
  const rows = await tx.execute(
    sql`select case when pg_try_advisory_xact_lock(${ownerLocks}, hashtext(${ownerId})) then case ${slot} else false end else false end as taken`,
  );
  return lockResult.parse([...rows])[0].taken;
}

/** Returns the error of an import whose client disconnected. */
export function importCancelledError(): AppError {
  return new AppError('invalid_input', 'The upload was canceled; nothing was imported.');
}
