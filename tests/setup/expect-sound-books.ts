import { expect } from 'vitest';
import { verifyBooks } from '@/lib/ledger/verify-books';

/**
 * Runs the verification of the books; a failure names the violated check.
 * @param except the check that a test breaks on purpose
 */
export async function expectSoundBooks(
  except?: 'Money moved only between accounts that its kind allows',
): Promise<void> {
  const report = await verifyBooks();
  expect(report.checks.filter((check) => check.broken > 0 && check.name !== except)).toEqual([]);
}
