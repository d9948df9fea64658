import { readFileSync } from 'node:fs';
import postgres from 'postgres';

let opened;

function open() {
  opened ??= {
    sql: postgres(process.env.DATABASE_URL, { max: 10 }),
    queries: JSON.parse(readFileSync(process.env.BENCH_STATEMENTS, 'utf8')),
  };
  return opened;
}

/** Runs the statements of one benchmark query as the driver recommends: prepared and concurrently. */
export async function runStatements(name) {
  const { sql, queries } = open();
  const { list, count, prepare } = queries[name];
  const [rows, counted] = await Promise.all([
    sql.unsafe(list.sql, list.params, { prepare }),
    count && sql.unsafe(count.sql, count.params, { prepare }),
  ]);
  return { rows, total: counted?.[0]?.count };
}
