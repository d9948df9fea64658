import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '../../../db/client';
import { extendStatementTimeout } from '../../../db/extend-statement-timeout';
import type { Transaction } from '../../../db/transaction';
import { AppError } from '../../errors';

/** How many imports write at the same time, over all instances: each holds a connection of a small pool. */
const slots = 2;
const patienceMs = 120_000;
const pauseMs = 200;

/** Names of the advisory locks; any two numbers nobody else uses. */
const ownerLocks = 77_001;
const slotLocks = 77_002;

const taken = z.tuple([z.object({ taken: z.boolean() })]);

/**
 * Runs `write` in one transaction when it is this owner's turn: one import of an owner at a time, so that two of them
 * never wait for each other's rows in a circle, and few altogether. Who waits holds no connection.
 * @param signal ends the waiting
 * @throws AppError conflict when the turn does not come within two minutes
 */
export async function takeImportTurn<T>(
  ownerId: string,
  signal: AbortSignal | undefined,
  write: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const turn = await db().transaction(async (tx) => {
      if (!(await tryLocks(tx, ownerId))) return null;
      await extendStatementTimeout(tx);
      return { done: await write(tx) };
    });
    if (turn) return turn.done;
    if (Date.now() > deadline) {
      throw new AppError('conflict', 'Other imports are still running. Try again in a minute.', {
        retryAfterSeconds: 60,
      });
    }
    if (signal?.aborted) throw cancelled();
    await pause(pauseMs);
  }
}

async function tryLocks(tx: Executor, ownerId: string): Promise<boolean> {
  // `case` goes from left to right and stops at the first slot it gets.
  const slot = sql.join(
    Array.from({ length: slots }, (_, at) => sql`when pg_try_advisory_xact_lock(${slotLocks}, ${at}) then true`),
    sql` `,
  );
  const rows = await tx.execute(
    sql`select case when pg_try_advisory_xact_lock(${ownerLocks}, hashtext(${ownerId})) then case ${slot} else false end else false end as taken`,
  );
  return taken.parse([...rows])[0].taken;
}

/** What an import whose caller went away ends with. */
export function cancelled(): AppError {
  return new AppError('invalid_input', 'The upload was cancelled; nothing was imported.');
}
