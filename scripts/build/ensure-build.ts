import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChild } from '@/scripts/process/child';
import type { Lifetime } from '@/scripts/process/lifetime';
import { withLock } from '@/scripts/process/lock';
import { projectRoot } from '@/scripts/process/root';
import { generatePaths } from './generate-paths';
import { sourceHash } from './source-hash';

const nextBin = 'node_modules/next/dist/bin/next';
const distDir = join(projectRoot, process.env.NEXT_DIST_DIR ?? '.next');
/** Written after a successful build; `next build` deletes it at its start. */
const marker = join(distDir, 'source-hash');

/** The list of all routes at the end of a build, and its legend. */
const routeTable = /^([┌├└│ƒ○●] |Route \(app\))/;

/** Checks whether there is a build, current or not. */
export function hasBuild(): boolean {
  return existsSync(join(distDir, 'BUILD_ID'));
}

/** Checks whether the build matches the current sources. */
export function isBuilt(): boolean {
  return hasBuild() && existsSync(marker) && readFileSync(marker, 'utf8') === sourceHash(projectRoot);
}

/**
 * Builds the app unless it is built from these sources. Concurrent runs build once.
 * @param say prints a line of progress
 * @param force builds for production, as `npm run build` does: with checked types, source maps, and a cache for the next
 * build. The demo and the tests need none of these, and build in half of the time without.
 * @throws Error when the build fails
 */
export async function ensureBuild(lifetime: Lifetime, say: (line: string) => void, force = false): Promise<void> {
  if (!force && isBuilt()) return;
  const cache = join(projectRoot, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  await withLock(
    join(cache, 'linkmarket-build.lock'),
    async () => {
      if (!force && isBuilt()) return;
      await build(lifetime, say, force);
    },
    15 * 60_000,
  );
}

async function build(lifetime: Lifetime, say: (line: string) => void, isForProduction: boolean): Promise<void> {
  generatePaths();
  const hash = sourceHash(projectRoot);
  rmSync(marker, { force: true });
  rmSync(join(distDir, 'BUILD_ID'), { force: true });
  // `next build` also type-checks the files that `next dev` left there, which may be outdated.
  rmSync(join(distDir, 'dev', 'types'), { recursive: true, force: true });
  const compiler = startChild({
    name: 'build',
    args: [nextBin, 'build'],
    env: { NODE_ENV: 'production', LOCAL_BUILD: isForProduction ? undefined : '1' },
    onLine: (line) => {
      if (line.trim() && (isForProduction || !routeTable.test(line))) say(line);
    },
  });
  await lifetime.own(Promise.resolve(compiler), (child) => child.stop());
  await compiler.exited;
  if (compiler.exitCode() !== 0 || !existsSync(join(distDir, 'BUILD_ID')))
    throw new Error('The app could not be built; see the lines above.');
  writeFileSync(marker, hash);
}
