import type postgres from 'postgres';

const holder: typeof globalThis & { linkmarketSql?: postgres.Sql } = globalThis;

/** Runs `work` with `pool` as the database of the app's code. */
export async function runOnPool<T>(pool: postgres.Sql, work: () => Promise<T>): Promise<T> {
  const first = holder.linkmarketSql;
  holder.linkmarketSql = pool;
  try {
    return await work();
  } finally {
    holder.linkmarketSql = first;
  }
}
