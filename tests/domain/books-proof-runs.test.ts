import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { bookProofs } from '@/db/schema/book-proofs';
import { orders } from '@/db/schema/orders';
import { systemActor } from '@/lib/access/actor';
import {
  getLastProof,
  getProofProgress,
  proveBooks,
  requestWholeProof,
  runProof,
  runRequestedProof,
} from '@/lib/ledger/prove-books';
import { rollUpLedger } from '@/lib/ledger/roll-up';
import { makeOrder } from '../factories/make-order';
import { makeUser } from '../factories/make-user';

const script = systemActor('Tests', 'script');
const prove = async () => {
  const { isWhole, report } = await runProof(script);
  return { isWhole, isSound: report.isSound };
};
const setStatus = (id: number, status: 'Refunded' | 'Pending') =>
  db().update(orders).set({ status }).where(eq(orders.id, id));

it('proves everything until that is sound and rolled up, then what is new, and repeats an error until it is corrected', async () => {
  const { id } = await makeOrder(1_000);
  expect(await prove()).toEqual({ isWhole: true, isSound: true });
  // The roll-up had not run: there is no position to continue from.
  expect(await prove()).toEqual({ isWhole: true, isSound: true });
  await rollUpLedger();
  expect(await prove()).toEqual({ isWhole: true, isSound: true });
  expect(await prove()).toEqual({ isWhole: false, isSound: true });

  await setStatus(id, 'Refunded');
  expect(await prove()).toEqual({ isWhole: false, isSound: false });
  expect(await prove()).toEqual({ isWhole: false, isSound: false });
  expect((await runProof(script, { isWhole: true })).report.isSound).toBe(false);
  expect(await prove()).toEqual({ isWhole: true, isSound: false });
  await setStatus(id, 'Pending');
  expect(await prove()).toEqual({ isWhole: true, isSound: true });
  expect(await prove()).toEqual({ isWhole: false, isSound: true });
});

it('a position that the ledger has not reached, as after a restore, proves everything', async () => {
  await db().update(bookProofs).set({ position: 1_000_000 });
  expect(await prove()).toEqual({ isWhole: true, isSound: true });
});

it('a requested proof of everything runs once, for the user who requested it', async () => {
  const admin = await makeUser('Admin');
  expect(await getProofProgress()).toBeNull();
  await requestWholeProof(admin);
  await requestWholeProof(await makeUser('Admin'));
  expect(await getProofProgress()).toBe(0);
  const runs = await Promise.all([runRequestedProof(), runRequestedProof()]);
  expect(runs.map(({ proofs }) => proofs).sort()).toEqual([0, 1]);
  expect(await getProofProgress()).toBeNull();
  expect(await getLastProof()).toMatchObject({ isWhole: true, ranBy: admin.name, report: { isSound: true } });
  expect(await proveBooks(admin)).toEqual({ isSound: true });
  expect(await getLastProof()).toMatchObject({ isWhole: false, ranBy: admin.name });
});
