import type postgres from 'postgres';
import { afterAll, afterEach, expect, inject } from 'vitest';
import { openPool } from '@/db/open-pool';
import { rollupChecks } from '@/lib/ledger/proof/balance-checks';
import { rollUpLedger } from '@/lib/ledger/roll-up';
import { type ProofStart, verifyBooks } from '@/lib/ledger/verify-books';
import { isItsTurn } from '@/scripts/testing/tier';
import { runOnPool } from './run-on-pool';

/** The checks of derived sums, which only the proof of everything has. */
export const checksOfSums: ReadonlySet<string> = new Set(rollupChecks().checks.map(({ name }) => name));

/** One connection, which plans the proof once. */
let pool: postgres.Sql | undefined;

/**
 * Verifies the books; a failure names the violated check. At the end of a domain test file, the proof as if everything
 * was new must find the same as the proof of everything, except for changed sums. It includes the roll-up.
 * @param except the check that a test breaks on purpose
 */
export async function expectSoundBooks(
  except?: 'Money moved only between accounts that its kind allows',
): Promise<void> {
  pool ??= openPool(1);
  const broken = await runOnPool(pool, () => findBroken());
  expect(broken.filter(({ name }) => name !== except)).toEqual([]);
}

afterAll(async () => {
  if (!pool) return;
  if (inject('template')) await runOnPool(pool, expectSameProofs);
  await pool.end({ timeout: 5 });
});

/**
 * Verifies the books at the end of a test file. They keep every movement, so that the proof finds what any test broke; a
 * third of the tests, and all in the full run, verify them too, and name where they broke.
 */
export function keepSoundBooks(): void {
  afterEach(async ({ task }) => {
    if (isItsTurn(task.name)) await expectSoundBooks();
  });
  afterAll(() => expectSoundBooks());
}

async function expectSameProofs(): Promise<void> {
  await rollUpLedger();
  const names = (broken: Awaited<ReturnType<typeof findBroken>>) =>
    broken.flatMap(({ name }) => (checksOfSums.has(name) ? [] : [name]));
  expect(names(await findBroken({ position: 0, startedAt: new Date() }))).toEqual(names(await findBroken()));
}

async function findBroken(since?: ProofStart) {
  return (await verifyBooks({ since })).checks.filter(({ broken }) => broken > 0);
}
