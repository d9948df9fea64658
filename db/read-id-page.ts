import { asc, desc, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { CursorPage, PageRequest } from '@/lib/id-cursor';

/** The part of a statement that selects a page. */
export type IdRange = {
  where: SQL | undefined;
  orderBy: SQL;
  limit: number;
  offset: number;
  /** Whether the range is that of the rows without the sorted value. */
  isUnknown?: boolean;
};

/**
 * Reads a page of a list ordered by id, newest first. By cursor, the cost does not grow with the depth; pages towards
 * the front, and the last one, are read from the other end.
 * @param read reads the rows of a range
 */
export async function readIdPage<Row extends { id: string | number }>(
  column: PgColumn | SQL,
  { limit, offset = 0, cursor }: PageRequest,
  read: (range: IdRange) => PromiseLike<Row[]>,
): Promise<CursorPage<Row>> {
  const isBack = cursor !== undefined && cursor.toward !== 'next';
  const rows = await read({
    where: cursor && 'id' in cursor ? after(column, isBack ? '>' : '<', cursor.id) : undefined,
    orderBy: isBack ? asc(column) : desc(column),
    // One more than shown, to detect a further page.
    limit: limit + 1,
    offset: cursor ? 0 : offset,
  });
  return toCursorPage(rows, { limit, offset, cursor });
}

/** Builds a page from rows in the order they were read, one more than the limit if there is a further page. */
export function toCursorPage<Row extends { id: string | number }>(
  rows: Row[],
  { limit, offset = 0, cursor }: PageRequest,
): CursorPage<Row> {
  const isBack = cursor !== undefined && cursor.toward !== 'next';
  const hasMore = rows.length > limit;
  const shown = rows.slice(0, limit);
  if (isBack) shown.reverse();
  const [first, last] = [shown[0], shown.at(-1)];
  const hasNext = cursor?.toward === 'last' ? false : isBack || hasMore;
  const hasPrevious = isBack ? hasMore : cursor !== undefined || offset > 0;
  return {
    rows: shown,
    next: last && hasNext ? `next.${last.id}` : null,
    previous: first && hasPrevious ? `previous.${first.id}` : null,
  };
}

/**
 * Builds the condition of a cursor. A cursor of another list, whose ids are texts, selects no row of a list with
 * numbers.
 */
function after(column: PgColumn | SQL, comparison: '<' | '>', id: string): SQL {
  if (!('dataType' in column) || column.dataType !== 'number') return sql`${column} ${sql.raw(comparison)} ${id}`;
  return /^\d{1,18}$/.test(id) ? sql`${column} ${sql.raw(comparison)} ${id}::bigint` : sql`false`;
}
