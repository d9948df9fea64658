import { and, asc, desc, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { CursorPage, IdCursor, PageRequest } from '@/lib/id-cursor';
import { db } from './client';
import { type IdRange, toCursorPage } from './read-id-page';

/** The order of a list: by a value with unknown ones last in both directions, then by id. */
export type ListOrder = {
  id: PgColumn;
  /** The sorted value as its index holds it; undefined for the order by id alone. */
  value: PgColumn | SQL | undefined;
  /** Whether the value can be null: its index holds nulls `last`, descending, or is for known values, `excluded`. */
  nulls: 'none' | 'last' | 'excluded';
  order: 'asc' | 'desc';
};

/** A position in a list, before or after a row. `value` is a value, its expression, or null if it is unknown. */
type Boundary = { value: string | number | SQL | null; id: string | number | SQL };

/** A range of a sorted list that is read along one index. */
type IndexRange = Pick<IdRange, 'where' | 'orderBy' | 'isUnknown'>;

/**
 * Splits a sorted list into one or two ranges that are read in sequence: rows with a known value by value and id, then
 * rows with an unknown value by id, in both sort directions. Each range matches the index of the value, forwards or
 * backwards, so reading stops at the end of the page.
 * @param isBack reads towards the front; the ranges and their orders are reversed, and the caller reverses the rows
 */
export function getIndexRanges(
  { id, value, nulls, order }: ListOrder,
  boundary: Boundary | undefined,
  isBack: boolean,
): IndexRange[] {
  const isDescending = (order === 'desc') !== isBack;
  const direction = isDescending ? desc : asc;
  const than = sql.raw(isDescending ? '<' : '>');
  const beyondId = boundary && sql`${id} ${than} ${boundary.id}`;
  if (!value) return [{ where: beyondId, orderBy: direction(id) }];
  const beyond = boundary && sql`(${value}, ${id}) ${than} (${boundary.value}, ${boundary.id})`;
  const plain = sql`${direction(value)}, ${direction(id)}`;
  if (nulls === 'none') return [{ where: beyond, orderBy: plain }];

  // The order of the index or its reverse.
  const nullsLast = sql`${direction(value)} ${sql.raw(isDescending ? 'nulls last' : 'nulls first')}, ${direction(id)}`;
  const orderBy = nulls === 'last' ? nullsLast : plain;
  if (nulls === 'last' && !boundary && isDescending !== isBack) return [{ where: undefined, orderBy }];
  const isUnknown = boundary?.value === null;
  const known = { where: and(isNotNull(value), isUnknown ? undefined : beyond), orderBy };
  const unknown = {
    where: and(isNull(value), isUnknown ? beyondId : undefined),
    orderBy: nulls === 'last' ? orderBy : direction(id),
    isUnknown: true,
  };
  if (isBack) return boundary && !isUnknown ? [known] : [unknown, known];
  return isUnknown ? [unknown] : [known, unknown];
}

/**
 * Reads ranges in sequence until the limit.
 * @param read reads the rows of a range
 * @param count counts the rows of a range, which is less than the offset
 */
export async function readRanges<Row>(
  ranges: readonly IndexRange[],
  { limit, offset }: { limit: number; offset: number },
  read: (range: IdRange) => PromiseLike<Row[]>,
  count: (where: SQL | undefined) => Promise<number>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let skip = offset;
  for (const [index, range] of ranges.entries()) {
    const found = await read({ ...range, limit: limit - rows.length, offset: skip });
    rows.push(...found);
    if (rows.length === limit || index === ranges.length - 1) break;
    // The offset ended inside this range, or continues into the next one.
    if (found.length > 0 || skip === 0) skip = 0;
    else skip -= await count(range.where);
  }
  return rows;
}

/**
 * Reads a page of a sorted list. By cursor, the cost does not grow with the depth; pages towards the front, and the last
 * one, are read from the other end. The position of a cursor is that of its row now: if the row's value changes, the
 * next page begins at its new place.
 * @param where the condition of the list
 * @param read reads the rows of a range, without `where`
 */
export async function readSortedPage<Row extends { id: string | number }>(
  list: ListOrder & { from: PgTable | SQL; where: SQL | undefined },
  { limit, offset = 0, cursor }: PageRequest,
  read: (range: IdRange) => PromiseLike<Row[]>,
): Promise<CursorPage<Row>> {
  const isBack = cursor !== undefined && cursor.toward !== 'next';
  // A cursor of another list, whose ids are texts, selects no row of a list with numbers.
  if (cursor && 'id' in cursor && isNumeric(list.id) && !/^\d{1,18}$/.test(cursor.id))
    return { rows: [], next: null, previous: null };
  const boundary = cursor && 'id' in cursor ? await findBoundary(list, cursor) : undefined;
  const rows = await readRanges(
    getIndexRanges(list, boundary, isBack),
    // One more than shown, to detect a further page.
    { limit: limit + 1, offset: cursor ? 0 : offset },
    (range) => read({ ...range, where: and(list.where, range.where) }),
    (where) => db().$count(list.from, and(list.where, where)),
  );
  return toCursorPage(rows, { limit, offset, cursor });
}

/**
 * Finds the boundary. The value at a cursor is an expression, because a value of the driver loses the microseconds of a
 * time.
 */
async function findBoundary(
  { from, id, value, nulls }: Parameters<typeof readSortedPage>[0],
  cursor: Extract<IdCursor, { id: string }>,
): Promise<Boundary> {
  const cursorId = isNumeric(id) ? sql`${cursor.id}::bigint` : sql`${cursor.id}`;
  if (!value) return { value: null, id: cursorId };
  const ofRow = sql`${id} = ${cursorId}`;
  if (nulls !== 'none' && (await db().$count(from, and(ofRow, isNull(value)))) > 0)
    return { value: null, id: cursorId };
  return { value: sql`(select ${value} from ${from} where ${ofRow})`, id: cursorId };
}

const isNumeric = ({ dataType }: PgColumn) => dataType === 'number';
