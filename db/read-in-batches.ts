/**
 * Generates the rows of a list in batches, so that they are never all in memory.
 * @param read reads the rows after the last one, of the first batch without it: as many as `size`, or the rest
 */
export async function* readInBatches<Row>(
  size: number,
  read: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let rows: Row[] = [];
  do {
    rows = await read(rows.at(-1));
    if (rows.length > 0) yield rows;
  } while (rows.length === size);
}
