/** A position in a list ordered by id, newest first: after or before a row, or at the end of the list. */
export type IdCursor = { toward: 'next' | 'previous'; id: string } | { toward: 'last' };

/** Which rows of a list to read: a page by its cursor or its offset. */
export type PageRequest = { limit: number; offset?: number | undefined; cursor?: IdCursor | undefined };

export type CursorPage<Row> = {
  rows: Row[];
  /** Cursors of the adjacent pages; null at the ends of the list. */
  next: string | null;
  previous: string | null;
};

/** Parses a cursor: `next.<id>`, `previous.<id>` or `last`; null for another text. */
export function parseIdCursor(text: string): IdCursor | null {
  if (text === 'last') return { toward: 'last' };
  const [, toward, id] = /^(next|previous)\.([0-9a-z]{1,32})$/.exec(text) ?? [];
  return id && (toward === 'next' || toward === 'previous') ? { toward, id } : null;
}
