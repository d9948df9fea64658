import { and, asc, desc, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { sites } from '../../db/schema/sites';
import type { SiteCursor } from './site-cursor';
import type { SiteSortKey } from './sort-keys';

const columns: Record<Exclude<SiteSortKey, 'added'>, PgColumn> = {
  price: sites.publicPriceUsdCents,
  da: sites.da,
  dr: sites.dr,
  traffic: sites.traffic,
  name: sites.name,
};
/** Figures that nobody may have said. Of the others every listed site has one. */
const unknowable: readonly SiteSortKey[] = ['da', 'dr', 'traffic'];

/** A stretch of the sorted list that one index can be read along. */
export type ListPart = { where: SQL | undefined; orderBy: SQL[] };

export type ListOrder = { sort: SiteSortKey; order: 'asc' | 'desc' };

/**
 * The catalogue in an order, as one or two stretches to be read one after the other: known figures by figure and id,
 * then unknown ones by id, whichever way the list runs. Each is written so that it follows one of the catalogue's
 * indexes (db/schema/sites.ts) forwards or backwards and stops at the page's end. Going to the previous page the
 * stretches and their orders are turned round, and so are the rows that come out.
 */
export function listParts({ sort, order }: ListOrder, cursor: SiteCursor | undefined): ListPart[] {
  const isBack = cursor?.toward === 'previous';
  const isDescending = (order === 'desc') !== isBack;
  const direction = isDescending ? desc : asc;
  if (sort === 'added') {
    const beyond = cursor && (isDescending ? sql`${sites.id} < ${cursor.id}` : sql`${sites.id} > ${cursor.id}`);
    return [{ where: beyond, orderBy: [direction(sites.id)] }];
  }
  const column = columns[sort];
  const beyond = cursor && beyondCursor(column, cursor, isDescending);
  if (!unknowable.includes(sort)) return [{ where: beyond, orderBy: [direction(column), direction(sites.id)] }];

  // The order of the index and its mirror image; a part that has no null (or nothing else) may say either.
  const orderBy = [isDescending ? sql`${column} desc nulls last` : sql`${column} asc nulls first`, direction(sites.id)];
  if (!cursor && isDescending) return [{ where: undefined, orderBy }];
  const known = { where: and(isNotNull(column), cursor && cursor.value !== null ? beyond : undefined), orderBy };
  const unknown = { where: and(isNull(column), cursor && cursor.value === null ? beyond : undefined), orderBy };
  if (isBack) return cursor.value === null ? [unknown, known] : [known];
  return cursor && cursor.value === null ? [unknown] : [known, unknown];
}

function beyondCursor(column: PgColumn, { value, id }: SiteCursor, isDescending: boolean): SQL {
  const than = sql.raw(isDescending ? '<' : '>');
  return value === null ? sql`${sites.id} ${than} ${id}` : sql`(${column}, ${sites.id}) ${than} (${value}, ${id})`;
}
