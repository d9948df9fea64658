import { and, asc, eq, gt, isNull, max, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { settings } from '@/db/schema/settings';
import { sites } from '@/db/schema/sites';
import type { Transaction } from '@/db/transaction';
import { measuredDays } from './figure-classes';
import { lockAllDomains } from './lock-domains';
import { today } from './rank';
import { refreshListings } from './refresh';

/** The setting that holds how far the listings are refreshed; absent when they are. */
const progressKey = 'figure-refresh';
const progress = z.object({ afterId: z.int() }).catch({ afterId: 0 });

/** Listings refreshed in one transaction: it locks them for about a second. */
const batchSize = 1_000;
/** Ids searched in one statement for listings with an old figure, of which there are few. */
const searchSize = 20_000;

/** Makes the job refresh all listings, from the first one on. */
export async function requestRefresh(tx: Executor): Promise<void> {
  const value = { afterId: 0 };
  await tx
    .insert(settings)
    .values({ key: progressKey, value })
    .onConflictDoUpdate({ target: settings.key, set: { value } });
}

/** Refreshes all listings after the order of the sources changed, in batches. Continues where an interrupted run stopped. */
export async function refreshAllFigures(): Promise<{ changed: number }> {
  let changed = 0;
  for (;;) {
    const batch = await db().transaction(refreshNextBatch);
    changed += batch?.changed ?? 0;
    if (!batch || batch.isLast) return { changed };
  }
}

async function refreshNextBatch(tx: Transaction): Promise<{ changed: number; isLast: boolean } | null> {
  const stored = eq(settings.key, progressKey);
  const [row] = await tx.select().from(settings).where(stored).for('update', { skipLocked: true });
  // Done, or another instance works on it.
  if (!row) return null;
  const { afterId } = progress.parse(row.value);
  if (afterId === 0) {
    // A listing that is being saved by the former order would be missed.
    await extendStatementTimeout(tx);
    await lockAllDomains(tx);
  }
  const next = await tx
    .select({ id: sites.id })
    .from(sites)
    .where(and(gt(sites.id, afterId), isNull(sites.deletedAt)))
    .orderBy(asc(sites.id))
    .limit(batchSize);
  const last = next.at(-1)?.id ?? afterId;
  const changed = await refreshListings(tx, sql`${sites.id} > ${afterId} and ${sites.id} <= ${last}`);
  const isLast = next.length < batchSize;
  if (isLast) await tx.delete(settings).where(stored);
  else
    await tx
      .update(settings)
      .set({ value: { afterId: last } })
      .where(stored);
  return { changed, isLast };
}

/** Refreshes the listings with a measured figure older than 180 days, which a newer one of staff replaces now. */
export async function refreshOldFigures(): Promise<{ changed: number }> {
  const [{ last } = { last: null }] = await db()
    .select({ last: max(sites.id) })
    .from(sites);
  const isOld = sql`jsonb_path_exists(${sites.figureSources},
    '$.* ? (@.source != "seller" && @.source != "staff" && @.asOf < $day)',
    jsonb_build_object('day', ${today} - ${sql.raw(String(measuredDays))}))`;
  let changed = 0;
  for (let from = 0; from < (last ?? 0); from += searchSize) {
    const within = sql`${sites.id} > ${from} and ${sites.id} <= ${from + searchSize}`;
    changed += await db().transaction((tx) => refreshListings(tx, sql`${within} and ${isOld}`));
  }
  return { changed };
}
