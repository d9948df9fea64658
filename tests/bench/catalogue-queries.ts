import { and, count } from 'drizzle-orm';
import { db } from '@/db/client';
import { getIndexRanges } from '@/db/read-sorted-page';
import { sites } from '@/db/schema/sites';
import { isListed, siteCondition } from '@/lib/sites/catalogue/filter-sql';
import { listedColumns, toListOrder } from '@/lib/sites/catalogue/listed-sites';
import { sitesQuery } from '@/lib/sites/catalogue/schemas';
import { nameWords } from './seed-catalogue';

/** The five queries of the benchmark, as parameters of GET /api/guest-posts. */
export const catalogueQueries = {
  Q1: 'limit=30&total=none',
  Q2: 'country=USA&niche=Technology&minDr=50&sort=traffic&order=desc&limit=30',
  Q3: `q=${nameWords[0]}&limit=30&total=none`,
  Q4: 'limit=30&offset=3000&total=none',
  Q5: 'limit=10000&total=none',
} as const;
export type QueryName = keyof typeof catalogueQueries;
export const queryNames = ['Q1', 'Q2', 'Q3', 'Q4', 'Q5'] as const satisfies readonly QueryName[];

export const queryTitles: Record<QueryName, string> = {
  Q1: 'first page by price, 30 rows',
  Q2: 'country, niche and DR ≥ 50 by traffic, 30 rows, exact total',
  Q3: 'a word in name or URL, 30 rows',
  Q4: 'offset 3,000, 30 rows',
  Q5: '10,000 rows',
};

type Statement = { sql: string; params: unknown[] };
/** The statements that the app sends for the query; the baseline servers run the same. */
export type Statements = { list: Statement; count: Statement | null; prepare: boolean };

export function statementsOf(parameters: string): Statements {
  const query = sitesQuery.parse(Object.fromEntries(new URLSearchParams(parameters)));
  const where = and(isListed, siteCondition(query));
  const order = toListOrder({ sort: query.sort ?? 'price', order: query.order ?? 'asc' });
  const [part] = getIndexRanges(order, undefined, false);
  const list = db()
    .select(listedColumns)
    .from(sites)
    .where(where)
    .orderBy(...(part ? [part.orderBy] : []))
    .limit((query.limit ?? 0) + 1)
    .offset(query.offset ?? 0);
  const total = query.total === 'none' ? null : db().select({ total: count() }).from(sites).where(where).toSQL();
  // A prepared search gets a generic plan, which reads too many rows for this word.
  return { list: list.toSQL(), count: total, prepare: query.q === undefined };
}

/** A statement with its parameters inlined, for pgbench. */
export function inlined({ sql, params }: Statement): string {
  return sql.replace(/\$(\d+)/g, (_, index: string) => {
    const value = params[Number(index) - 1];
    return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
  });
}
