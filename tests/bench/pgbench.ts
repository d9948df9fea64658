import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether pgbench is in the PATH; PostgreSQL's embedded binaries do not include it. */
export async function hasPgbench(): Promise<boolean> {
  return run('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
}

/**
 * Measures the database alone: runs of all statements per second. 0 where a run takes longer than the slice, e.g. on a
 * busy machine.
 */
export async function pgbenchRate(
  folder: string,
  databaseUrl: string,
  statements: readonly string[],
  connections: number,
  seconds: number,
): Promise<number> {
  const script = join(folder, 'pgbench.sql');
  writeFileSync(script, statements.map((statement) => `${statement};\n`).join(''));
  const args = ['-n', '-M', 'prepared', '-f', script, '-c', String(connections), '-T', String(seconds), databaseUrl];
  const { stdout } = await run('pgbench', args);
  const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  if (Number.isNaN(rate)) throw new Error(`pgbench said no rate:\n${stdout}`);
  return rate;
}
