import { expect } from 'vitest';
import { rollUpLedger } from '@/lib/ledger/roll-up';
import { type ProofStart, verifyBooks } from '@/lib/ledger/verify-books';
import { checksOfSums } from './expect-sound-books';

type Verification = Awaited<ReturnType<typeof verifyBooks>>;

/** Rolls up the ledger and returns where a proof of what is new begins. */
export async function startProof(): Promise<ProofStart> {
  await rollUpLedger();
  return toStart(await verifyBooks());
}

function toStart({ position, startedAt }: Verification): ProofStart {
  if (position === null) throw new Error('The ledger was not rolled up.');
  return { position, startedAt };
}

const toCounts = ({ checks }: Verification) => new Map(checks.map(({ name, broken }) => [name, broken]));
const risen = (before: Map<string, number>, after: Map<string, number>) =>
  [...after].filter(([name, broken]) => broken > (before.get(name) ?? 0)).map(([name]) => name);

/**
 * Returns the names of the checks that more rows fail after the work than before it. The proof of what the work added
 * must find the same as the proof of everything, except for changed sums.
 */
export async function brokenBy(work: () => Promise<unknown>): Promise<string[]> {
  await rollUpLedger();
  const before = await verifyBooks();
  const since = toStart(before);
  const [whole, part] = [toCounts(before), toCounts(await verifyBooks({ since }))];
  await work();
  const broken = risen(whole, toCounts(await verifyBooks()));
  const newlyBroken = async () => risen(part, toCounts(await verifyBooks({ since })));
  const ofNew = broken.filter((name) => !checksOfSums.has(name));
  expect(await newlyBroken(), 'found by the proof of what is new').toEqual(ofNew);
  // Again with the new transfers in the sums.
  await rollUpLedger();
  expect(await newlyBroken(), 'found after the roll-up').toEqual(ofNew);
  return broken;
}
