import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './process/root';

/**
 * `npm run db:generate -- --name=<what> [--custom]`: writes a migration for review. Keeps the newest snapshot only, on one
 * line: drizzle-kit compares the schema with the last one, and each has a line for every column and property.
 */
const drizzleKit = join(projectRoot, 'node_modules/drizzle-kit/bin.cjs');
const { status } = spawnSync(process.execPath, [drizzleKit, 'generate', ...process.argv.slice(2)], {
  cwd: projectRoot,
  stdio: 'inherit',
});
keepNewestSnapshot(join(projectRoot, 'db/migrations/meta'));
process.exitCode = status ?? 1;

function keepNewestSnapshot(folder: string): void {
  const snapshots = readdirSync(folder).filter((file) => file.endsWith('_snapshot.json'));
  const newest = snapshots.sort().pop();
  for (const file of snapshots) rmSync(join(folder, file));
  if (!newest) return;
  const path = join(folder, newest);
  writeFileSync(path, `${JSON.stringify(JSON.parse(readFileSync(path, 'utf8')))}\n`);
}
