import { expect } from 'vitest';
import { verifyBooks } from '@/lib/wallet/verify-books';

/** The books prove themselves; a failure names what is broken. */
export async function expectSoundBooks(): Promise<void> {
  const report = await verifyBooks();
  expect(report.checks.filter((check) => check.broken > 0)).toEqual([]);
}
