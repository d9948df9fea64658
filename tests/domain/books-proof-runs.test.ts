import { desc, eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { bookProofs } from '@/db/schema/book-proofs';
import { orders } from '@/db/schema/orders';
import { systemActor } from '@/lib/access/actor';
import { getProofProgress } from '@/lib/audit/proof-requests';
import {
  getLastProof,
  proveBooks,
  requestWholeProof,
  runProof,
  runRequestedBooksProof,
} from '@/lib/ledger/prove-books';
import { resetRollUp, rollUpLedger } from '@/lib/ledger/roll-up';
import { makeOrder } from '@/tests/factories/make-order';
import { makeUser } from '@/tests/factories/make-user';

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

it('without the roll-up of its position, as after a restore, everything is proved', async () => {
  await rollUpLedger();
  expect(await prove()).toMatchObject({ isSound: true });
  expect(await prove()).toEqual({ isWhole: false, isSound: true });
  await resetRollUp();
  expect(await prove()).toEqual({ isWhole: true, isSound: true });
});

it('a proof that was written or changed without SECRET_KEYS exempts nothing from the next one', async () => {
  await rollUpLedger();
  await prove();
  expect(await prove()).toEqual({ isWhole: false, isSound: true });
  const [last] = await db().select().from(bookProofs).orderBy(desc(bookProofs.ranAt)).limit(1);
  await db()
    .update(bookProofs)
    .set({ startedAt: new Date() })
    .where(eq(bookProofs.id, last?.id ?? ''));
  expect(await prove()).toEqual({ isWhole: true, isSound: true });
});

it('a requested proof of everything runs once, for the user who requested it', async () => {
  const admin = await makeUser('Admin');
  expect(await getProofProgress('books')).toBeNull();
  await requestWholeProof(admin);
  await requestWholeProof(await makeUser('Admin'));
  expect(await getProofProgress('books')).toBe(0);
  const runs = await Promise.all([runRequestedBooksProof(), runRequestedBooksProof()]);
  expect(runs.map(({ proofs }) => proofs).sort()).toEqual([0, 1]);
  expect(await getProofProgress('books')).toBeNull();
  expect(await getLastProof()).toMatchObject({ isWhole: true, ranBy: admin.name, report: { isSound: true } });
  expect(await proveBooks(admin)).toEqual({ isSound: true });
  expect(await getLastProof()).toMatchObject({ isWhole: false, ranBy: admin.name });
});
