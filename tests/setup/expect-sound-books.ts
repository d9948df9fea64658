import type postgres from 'postgres';
import { afterAll, expect, inject } from 'vitest';
import { openPool } from '@/db/open-pool';
import { rollUpLedger } from '@/lib/ledger/roll-up';
import { type ProofStart, verifyBooks } from '@/lib/ledger/verify-books';
import { runOnPool } from './run-on-pool';

/** A check that a test breaks on purpose. */
type Exception = 'Money moved only between accounts that its kind allows';

/** One connection, which plans the proof once. */
let pool: postgres.Sql | undefined;
const exceptions = new Set<string>();

/**
 * Verifies the books; a failure names the violated check. In the domain tests, the books are also verified at the end of
 * the file: with the roll-up, and as if everything was new.
 */
export async function expectSoundBooks(except?: Exception): Promise<void> {
  if (except) exceptions.add(except);
  pool ??= openPool(1);
  await runOnPool(pool, () => expectNoneBroken());
}

afterAll(async () => {
  if (!pool) return;
  if (inject('template')) {
    await runOnPool(pool, async () => {
      await rollUpLedger();
      await expectNoneBroken();
      await expectNoneBroken({ position: 0, startedAt: new Date() });
    });
  }
  await pool.end({ timeout: 5 });
});

async function expectNoneBroken(since?: ProofStart): Promise<void> {
  const { checks } = await verifyBooks({ since });
  expect(checks.filter(({ broken, name }) => broken > 0 && !exceptions.has(name))).toEqual([]);
}
