import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { projectRoot } from '@/scripts/process/root';

/** Bundles of workers by name, until the process ends. The benchmark starts workers too, without Vitest. */
const bundles = new Map<string, string>();

/** Packages that read files beside their code, or are native. */
const external = ['@node-rs/argon2', 'fontkit', 'pdfkit'];

/**
 * Starts `tests/setup/<name>.ts` in a process of its own, as one bundled file with its packages: loading its several hundred
 * modules one by one takes seconds, and a tested kill needs a new process each time.
 */
export function forkWorker(name: string, { stderr = 'inherit', env = {} }: WorkerOptions = {}): ChildProcess {
  return fork(bundles.get(name) ?? bundle(name), {
    stdio: ['ignore', 'ignore', stderr, 'ipc'],
    env: { ...process.env, ...env },
  });
}
type WorkerOptions = { stderr?: 'inherit' | 'pipe'; env?: Record<string, string> };

function bundle(name: string): string {
  // Below node_modules, so that the packages are found.
  const folder = mkdtempSync(join(projectRoot, 'node_modules', '.cache', 'linkmarket-worker-'));
  const outfile = join(folder, `${name}.cjs`);
  buildSync({
    entryPoints: [join(projectRoot, 'tests', 'setup', `${name}.ts`)],
    ...{ outfile, bundle: true, external, platform: 'node', format: 'cjs', logLevel: 'error' },
    alias: { 'server-only': join(projectRoot, 'node_modules/server-only/empty.js') },
    // Only lib/links/judge-in-worker.ts reads it: for the file of its thread, which is not in the bundle.
    define: {
      'import.meta.url': JSON.stringify(pathToFileURL(join(projectRoot, 'lib/links/judge-in-worker.ts')).href),
    },
  });
  bundles.set(name, outfile);
  return outfile;
}

process.once('exit', () => {
  for (const file of bundles.values()) rmSync(dirname(file), { recursive: true, force: true });
});
