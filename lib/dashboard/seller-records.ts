import { and, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { type CappedCount, countRows } from '@/db/count-up-to';
import { type ListOrder, readSortedPage } from '@/db/read-sorted-page';
import type { Reading } from '@/db/replicas';
import { fulfilmentRecords } from '@/db/schema/records';
import { userNameOrEmail, users } from '@/db/schema/users';
import type { CursorPage } from '@/lib/id-cursor';
import { choiceParam, idCursorField, lineField, pageQuery } from '@/lib/platform/http/fields';
import { leastCases } from '@/lib/sites/record/compute';
import { sellerRecordResponse, sellerRecordView } from '@/lib/sites/record/read';
import { matchesUser } from '@/lib/users/queries';

/** Builds a value of the record as the list shows it: unknown below five orders. */
const known = (value: SQL) => sql`(case when ${fulfilmentRecords.orders} >= ${leastCases} then ${value} end)`;
const alive = (days: string) => known(sql`(${fulfilmentRecords.alive} -> ${sql.raw(`'${days}'`)} ->> 'share')::float8`);

/** The values by which sellers are sorted, from `users` and `fulfilmentRecords`. */
export const sellerRecordValues = {
  name: { value: userNameOrEmail, nulls: 'none' },
  reliability: { value: fulfilmentRecords.reliability, nulls: 'last' },
  orders: { value: sql`coalesce(${fulfilmentRecords.orders}, 0)`, nulls: 'none' },
  acceptedInTime: { value: known(sql`${fulfilmentRecords.acceptedInTime}`), nulls: 'last' },
  deliveredInTime: { value: known(sql`${fulfilmentRecords.deliveredInTime}`), nulls: 'last' },
  medianDays: { value: known(sql`${fulfilmentRecords.medianDays}`), nulls: 'last' },
  revisionsPerOrder: { value: known(sql`${fulfilmentRecords.revisionsPerOrder}`), nulls: 'last' },
  disputesLost: { value: known(sql`${fulfilmentRecords.disputesLost}`), nulls: 'last' },
  alive30: { value: alive('30'), nulls: 'last' },
  alive90: { value: alive('90'), nulls: 'last' },
  alive365: { value: alive('365'), nulls: 'last' },
} as const satisfies Record<string, Pick<ListOrder, 'value' | 'nulls'>>;

export const sellerRecordSortKeys = [
  ...(['name', 'reliability', 'orders', 'acceptedInTime', 'deliveredInTime', 'medianDays'] as const),
  ...(['revisionsPerOrder', 'disputesLost', 'alive30', 'alive90', 'alive365'] as const),
];

/** The query of GET /api/admin/sellers. */
export const sellerRecordsQuery = pageQuery(50, 200).extend({
  q: lineField(200).optional().describe('Searches name and email.'),
  sort: choiceParam(sellerRecordSortKeys)
    .default('name')
    .describe(
      'Sorts by name, reliability or a figure of the record; `alive30`, `alive90` and `alive365` by the share of live links. Unknown values are last.',
    ),
  order: choiceParam(['asc', 'desc']).default('asc').describe('The direction of `sort`; `asc` by default.'),
  cursor: idCursorField,
});

export const sellerRecordRowResponse = sellerRecordResponse.extend({
  id: z.string(),
  name: z.string(),
  email: z.string(),
});
/** A seller with the own record, as `GET /api/admin/sellers` returns it. */
export type SellerRecordRow = z.output<typeof sellerRecordRowResponse>;

/** Lists a page of the sellers with their records, which are at most some seconds old, or minutes for the largest. */
export async function listSellerRecords(
  { q, sort, order, ...page }: z.output<typeof sellerRecordsQuery>,
  on: Reading = db(),
): Promise<CursorPage<SellerRecordRow> & CappedCount> {
  const where = and(sql`lower(${users.role}) = 'seller'`, isNull(users.deletedAt), matchesUser(q));
  const from = sql`${users} left join ${fulfilmentRecords} on ${fulfilmentRecords.sellerId} = ${users.id}`;
  const [{ rows, ...cursors }, counted] = await Promise.all([
    readSortedPage({ ...sellerRecordValues[sort], id: users.id, order, from, where }, page, (range) =>
      on
        .select({ id: users.id, name: users.name, email: users.email, record: getTableColumns(fulfilmentRecords) })
        .from(users)
        .leftJoin(fulfilmentRecords, eq(fulfilmentRecords.sellerId, users.id))
        .where(range.where)
        .orderBy(range.orderBy)
        .limit(range.limit)
        .offset(range.offset),
    ),
    countRows(users, where, on),
  ]);
  return {
    ...cursors,
    ...counted,
    rows: rows.map(({ id, name, email, record }) => ({ id, name, email, ...sellerRecordView(record) })),
  };
}
