import { asc, eq, inArray, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { linkCheckCursor, linkChecks, linkProofs, linkVerdicts } from '@/db/schema/links';
import { issueProof } from '@/lib/links/passport/proofs';
import { listNewestChecks } from '@/lib/orders/link-checks/queries';
import { removeRepeatedChecks } from '@/lib/orders/link-checks/remove-repeated';
import { makeLinkCheck } from '@/tests/factories/make-link-check';
import { makeOrder } from '@/tests/factories/make-order';
import { unguarded } from '@/tests/setup/audit-tampering';

const orderIds: number[] = [];
beforeAll(async () => {
  for (let count = 0; count < 3; count += 1) orderIds.push((await makeOrder(1_000)).id);
});

type Made = {
  order: number;
  ageDays: number;
  verdict: (typeof linkVerdicts)[number];
  anchor: string;
  byBuyer: boolean;
};

const made: fc.Arbitrary<Made> = fc.record({
  order: fc.nat(2),
  ageDays: fc.integer({ min: 1, max: 730 }),
  // Mostly runs of equal findings.
  verdict: fc.oneof({ weight: 4, arbitrary: fc.constant('ok' as const) }, fc.constantFrom(...linkVerdicts)),
  anchor: fc.oneof({ weight: 6, arbitrary: fc.constant('spades') }, fc.constant('forks')),
  byBuyer: fc.nat(9).map((one) => one === 0),
});

/** Stores checks in the order of their age, each with its passport. */
async function insertChecks(checks: readonly Made[]) {
  await unguarded(async (tx) => {
    await tx`truncate link_checks, link_proofs, link_check_cursor`;
  });
  const rows = [];
  for (const { order, ageDays, verdict, anchor, byBuyer } of checks.toSorted((a, b) => b.ageDays - a.ageDays)) {
    const check = await makeLinkCheck(orderIds[order] ?? 0, {
      ...{ verdict, anchor, found: verdict === 'ok' || verdict === 'changed', cause: byBuyer ? 'buyer' : 'schedule' },
      // The job deletes at 365 days; no check is that old to the second.
      at: new Date(Date.now() - (ageDays + 0.5) * 86_400_000),
    });
    await db().transaction((tx) => issueProof(tx, check));
    rows.push({ ...check, ageDays });
  }
  return rows;
}

type Row = Awaited<ReturnType<typeof insertChecks>>[number];

const findings = ({ verdict, anchor }: Row) => `${verdict} ${anchor}`;

/** The ids of the checks that must stay. */
function listKept(rows: readonly Row[]): number[] {
  const kept = rows.filter((row) => {
    const ofLink = rows.filter(({ orderId }) => orderId === row.orderId);
    const at = ofLink.indexOf(row);
    const beside = [ofLink[at - 1], ofLink[at + 1]];
    const repeats = beside.every((other) => other && findings(other) === findings(row));
    return row.cause !== 'schedule' || row.ageDays < 365 || !repeats;
  });
  return kept.map(({ id }) => id);
}

const storedIds = async () =>
  (await db().select({ id: linkChecks.id }).from(linkChecks).orderBy(asc(linkChecks.id))).map(({ id }) => id);

describe('checks of links that are older than a year', () => {
  it('go if the ones before and after found the same, and no others', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(made, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 40 }),
        async (checks, batchSize) => {
          const rows = await insertChecks(checks);
          const newest = await listNewestChecks(orderIds);
          const proofs = await db().$count(linkProofs);
          const kept = listKept(rows);
          expect(await removeRepeatedChecks({ batchSize, maxBatches: 100 })).toBe(rows.length - kept.length);
          expect(await storedIds()).toEqual(kept);
          expect(await listNewestChecks(orderIds)).toEqual(newest);
          expect(await db().$count(linkProofs)).toBe(proofs);
          expect(await removeRepeatedChecks({ batchSize, maxBatches: 100 })).toBe(0);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('go from several instances at once, and continue where a run ended', async () => {
    const rows = await insertChecks(
      Array.from({ length: 40 }, (_, n) => ({ order: 0, ageDays: 400 + n, verdict: 'ok', anchor: '', byBuyer: false })),
    );
    expect(await removeRepeatedChecks({ batchSize: 4, maxBatches: 3 })).toBe(11);
    const runs = await Promise.all(
      Array.from({ length: 3 }, () => removeRepeatedChecks({ batchSize: 4, maxBatches: 100 })),
    );
    expect(runs.reduce((sum, removed) => sum + removed, 0)).toBe(27);
    expect(await storedIds()).toEqual([rows[0]?.id, rows.at(-1)?.id]);
    expect(await db().select({ position: linkCheckCursor.position }).from(linkCheckCursor)).toEqual([
      { position: rows.at(-1)?.id },
    ]);
  });

  it('are the only ones that the database lets go, and none changes', async () => {
    const rows = await insertChecks(
      [500, 450, 400, 390, 300, 290, 280].map((ageDays, n) => ({
        ...{ order: 0, ageDays, anchor: '', byBuyer: n === 1 },
        verdict: n === 3 ? 'broken' : 'ok',
      })),
    );
    for (const { id } of rows) {
      const one = db().delete(linkChecks).where(eq(linkChecks.id, id));
      await expect(one, `check ${id}`).rejects.toMatchObject({ cause: { code: 'LM004' } });
      const same = db().update(linkChecks).set({ verdict: sql`verdict` }).where(eq(linkChecks.id, id));
      await expect(same).rejects.toThrow();
    }
    await expect(db().delete(linkChecks).where(inArray(linkChecks.orderId, orderIds))).rejects.toThrow();
    expect(await storedIds()).toEqual(rows.map(({ id }) => id));
  });
});
