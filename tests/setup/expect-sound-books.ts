import { expect } from 'vitest';
import { verifyBooks } from '@/lib/ledger/verify-books';
import { startProof } from './broken-by';

/**
 * Runs the verification of the books, of everything and as if everything was new; a failure names the violated check.
 * @param except the check that a test breaks on purpose
 */
export async function expectSoundBooks(
  except?: 'Money moved only between accounts that its kind allows',
): Promise<void> {
  const { startedAt } = await startProof();
  for (const since of [undefined, { position: 0, startedAt }]) {
    const report = await verifyBooks({ since });
    expect(report.checks.filter((check) => check.broken > 0 && check.name !== except)).toEqual([]);
  }
}
