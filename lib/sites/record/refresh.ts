import { and, eq, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import { advisoryLock } from '@/db/advisory-locks';
import { db } from '@/db/client';
import { extendStatementTimeout } from '@/db/extend-statement-timeout';
import { fulfilmentRecords, recordMarks, recordRollup } from '@/db/schema/records';
import type { Transaction } from '@/db/transaction';
import { type ComputedRecord, computeRecords, type Subjects } from './compute';

/** The listings, and the sellers, of one transaction. */
const batchSizes = { site: 2_000, seller: 100 };
/** The listings to which one transaction copies the reliability. */
const copyBatch = 10_000;
/** The time after which a run starts no further batch, in milliseconds. */
const runMs = 5_000;
/** The orders of a record up to which a change counts at once. */
export const smallRecord = 2_000;
/** A larger record is computed again at most once in its orders divided by this, in seconds: each time costs the more. */
const ordersPerSecond = 100;
/** The least time between two copies of reliabilities to listings: each gives the catalog a new version, and empties its caches. */
const copyEveryMinutes = 5;

/** Returns the current day in UTC, with which the window of records ends. */
export const getRecordDay = (): string => new Date().toISOString().slice(0, 10);

/**
 * Computes the records of the listings and sellers whose orders changed, and, after midnight (UTC), those of all, in
 * batches, and copies changed reliabilities to the listings. One instance at a time; a second one returns immediately. A
 * run that is interrupted continues in the next.
 * @returns the number of records computed
 */
export async function refreshRecords(): Promise<Record<'computed', number>> {
  const endsAt = Date.now() + runMs;
  let computed = 0;
  for (const step of [refreshMarked('site'), refreshMarked('seller'), copyReliabilities, rollUpBatch]) {
    for (let isMore = true; isMore && Date.now() < endsAt; ) {
      const batch = await db().transaction(async (tx) => {
        const [lock] = await tx.execute(sql`select pg_try_advisory_xact_lock(${advisoryLock('records')}) as locked`);
        if (!z.object({ locked: z.boolean() }).parse(lock).locked) return null;
        await extendStatementTimeout(tx);
        return step(tx);
      });
      computed += batch?.length ?? 0;
      isMore = batch !== null && batch.length > 0;
    }
  }
  return { computed };
}

type Step = (tx: Transaction) => Promise<readonly (number | string)[]>;

/**
 * Computes records that were marked. The marks are deleted first: what a transaction that commits later changes, its own
 * marks tell.
 */
const refreshMarked =
  (kind: Subjects['kind']): Step =>
  async (tx) => {
    const { column, of } = columns[kind];
    const marked = tx
      .selectDistinct({ id: column })
      .from(recordMarks)
      .leftJoin(fulfilmentRecords, eq(of, column))
      .where(
        and(
          sql`${column} is not null`,
          or(
            sql`${fulfilmentRecords.id} is null`,
            lte(fulfilmentRecords.orders, smallRecord),
            lt(
              fulfilmentRecords.computedAt,
              sql`now() - make_interval(secs => ${fulfilmentRecords.orders} / ${ordersPerSecond})`,
            ),
          ),
        ),
      )
      .limit(batchSizes[kind]);
    const deleted = await tx.execute(sql`
      with deleted as (delete from ${recordMarks} where ${column} in ${marked} returning ${column} as id)
      select distinct id from deleted`);
    return kind === 'site'
      ? saveRecords(tx, { kind, ids: parseIds(z.int(), deleted) })
      : saveRecords(tx, { kind, ids: parseIds(z.string(), deleted) });
  };

const columns = {
  site: { column: recordMarks.siteId, of: fulfilmentRecords.siteId },
  seller: { column: recordMarks.sellerId, of: fulfilmentRecords.sellerId },
};

const parseIds = <Id>(id: z.ZodType<Id>, rows: Iterable<unknown>): Id[] =>
  z
    .array(z.object({ id }))
    .parse([...rows])
    .map((row) => row.id);

/** Computes the next records of the day, by id: first the listings', then the sellers'. */
const rollUpBatch: Step = async (tx) => {
  const day = getRecordDay();
  const begun = { day, afterSite: 0, afterSeller: '' };
  await tx
    .insert(recordRollup)
    .values(begun)
    .onConflictDoUpdate({ target: recordRollup.id, set: begun, setWhere: lt(recordRollup.day, day) });
  // Waits for a restore, which empties the table.
  const [state] = await tx.select().from(recordRollup).for('update');
  if (!state || state.afterSeller === null) return [];
  if (state.afterSite !== null) {
    const ids = parseIds(
      z.int(),
      await tx.execute(sql`select id from sites where id > ${state.afterSite} order by id limit ${batchSizes.site}`),
    );
    await tx.update(recordRollup).set({ afterSite: ids.at(-1) ?? null });
    if (ids.length > 0) return saveRecords(tx, { kind: 'site', ids });
  }
  const ids = parseIds(
    z.string(),
    await tx.execute(sql`select id from users where id > ${state.afterSeller}
      and (exists (select from placements where seller_id = users.id)
        or exists (select from fulfilment_records where seller_id = users.id))
      order by id limit ${batchSizes.seller}`),
  );
  await tx.update(recordRollup).set({ afterSeller: ids.at(-1) ?? null });
  return saveRecords(tx, { kind: 'seller', ids });
};

/** Computes and stores the records of listings or sellers. @returns their ids */
async function saveRecords(tx: Transaction, subjects: Subjects): Promise<Subjects['ids']> {
  const { kind, ids } = subjects;
  if (ids.length === 0) return ids;
  const day = getRecordDay();
  const records = await computeRecords(tx, subjects, day);
  const { of } = columns[kind];
  const rows = JSON.stringify(
    [...records].map(([id, record]) => ({
      [kind === 'site' ? 'site_id' : 'seller_id']: id,
      ...toColumns(record),
      day,
    })),
  );
  const key = sql.raw(kind === 'site' ? 'site_id' : 'seller_id');
  const withoutOrders = [...ids].filter((id) => !records.has(String(id)));
  await tx.delete(fulfilmentRecords).where(inArray(of, withoutOrders));
  if (kind === 'site' && withoutOrders.length > 0) await setReliability(tx, withoutOrders);
  // A listing or user that was deleted for good in the meantime has no record.
  const subject = kind === 'site' ? sql`sites` : sql`users`;
  const isCopied = kind === 'site' ? sql`subject.reliability is not distinct from computed.reliability` : sql`true`;
  await tx.execute(sql`
    insert into fulfilment_records (${key}, day, is_copied, ${names})
    select ${key}, day, ${isCopied}, ${computedValues}
    from jsonb_populate_recordset(null::fulfilment_records, ${rows}::jsonb) as computed
    join ${subject} as subject on subject.id = computed.${key}
    on conflict (${key}) do update
      set computed_at = now(), day = excluded.day, is_copied = excluded.is_copied, ${updates}`);
  return ids;
}

const columnNames = [
  ...['orders', 'accepted', 'accepted_in_time', 'delivered_in_time', 'median_days', 'revisions_per_order'],
  ...['disputes_lost', 'alive', 'reliability'],
];
const names = sql.raw(columnNames.join(', '));
const computedValues = sql.raw(columnNames.map((name) => `computed.${name}`).join(', '));
const updates = sql.raw(columnNames.map((name) => `${name} = excluded.${name}`).join(', '));

const toColumns = ({
  acceptedInTime,
  deliveredInTime,
  medianDays,
  revisionsPerOrder,
  disputesLost,
  ...same
}: ComputedRecord) => ({
  ...same,
  accepted_in_time: acceptedInTime,
  delivered_in_time: deliveredInTime,
  median_days: medianDays,
  revisions_per_order: revisionsPerOrder,
  disputes_lost: disputesLost,
});

/** Copies changed reliabilities to the listings, at most every few minutes. */
const copyReliabilities: Step = async (tx) => {
  const changed = await tx
    .select({ id: fulfilmentRecords.siteId })
    .from(fulfilmentRecords)
    .where(eq(fulfilmentRecords.isCopied, false))
    .limit(copyBatch);
  const ids = changed.flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return [];
  const turn = await tx
    .update(recordRollup)
    .set({ copiedAt: sql`now()` })
    .where(
      or(
        isNull(recordRollup.copiedAt),
        lt(recordRollup.copiedAt, sql`now() - make_interval(mins => ${copyEveryMinutes})`),
      ),
    )
    .returning({ day: recordRollup.day });
  if (turn.length === 0) return [];
  await setReliability(tx, ids);
  await tx.update(fulfilmentRecords).set({ isCopied: true }).where(inArray(fulfilmentRecords.siteId, ids));
  return [];
};

/** Copies the reliability to the listings where it changed, locking them in the order of their ids. */
async function setReliability(tx: Transaction, ids: readonly (number | string)[]): Promise<void> {
  const list = sql`array[${sql.join(
    ids.map((id) => sql`${id}`),
    sql`, `,
  )}]::int[]`;
  await tx.execute(sql`
    with changed as (
      select s.id, r.reliability from sites s left join fulfilment_records r on r.site_id = s.id
      where s.id = any(${list}) and s.reliability is distinct from r.reliability
      order by s.id for no key update of s
    )
    update sites set reliability = changed.reliability from changed where sites.id = changed.id`);
}
