import { and, asc, inArray, isNull, lte, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { sites } from '@/db/schema/sites';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { recordAudit } from '@/lib/platform/audit/record';
import { describePause } from './plan';

/** The sites of one transaction. */
const batchSize = 500;
const resumed = { pausedAt: null, pausedUntil: null };

/** Ends the pauses whose day has come. Several instances may run it: each takes other sites. */
export async function resumeSites(): Promise<{ resumed: number }> {
  let total = 0;
  for (;;) {
    const count = await resumeBatch();
    total += count;
    if (count < batchSize) return { resumed: total };
  }
}

const resumeBatch = (): Promise<number> =>
  db().transaction(async (tx) => {
    const due = await tx
      .select({ id: sites.id, url: sites.url, pausedAt: sites.pausedAt, pausedUntil: sites.pausedUntil })
      .from(sites)
      .where(and(lte(sites.pausedUntil, sql`now()`), isNull(sites.deletedAt)))
      .orderBy(asc(sites.pausedUntil), asc(sites.id))
      .limit(batchSize)
      .for('no key update', { skipLocked: true });
    if (due.length === 0) return 0;
    await tx
      .update(sites)
      .set({ ...resumed, version: sql`${sites.version} + 1` })
      .where(
        inArray(
          sites.id,
          due.map(({ id }) => id),
        ),
      );
    const actor = systemActor(systemActors.pauses, 'job');
    await recordAudit(tx, actor, ...due.map((site) => describePause(site, resumed)));
    return due.length;
  });
