import { expect } from 'vitest';
import { verifyBooks } from '@/lib/ledger/verify-books';

/**
 * The books prove themselves; a failure names what is broken.
 * @param except the check that a test breaks on purpose
 */
export async function expectSoundBooks(
  except?: 'Money moved only between accounts that its kind allows',
): Promise<void> {
  const report = await verifyBooks();
  expect(report.checks.filter((check) => check.broken > 0 && check.name !== except)).toEqual([]);
}
