import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import type { LaunchOptions } from '@playwright/test';

/** The npm registry's browser is extracted here once. Commands run from the project's folder. */
const cache = join(process.cwd(), 'node_modules', '.cache', 'linkmarket-chromium-147');
const bundledLibraries = join(cache, 'al2023', 'lib');

/** Browsers that may be installed on the machine, for platforms where the npm registry's does not run. */
const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The launch options of every browser of the tests and scripts.
 * @throws Error with installation instructions when no browser can run
 */
export function browserLaunchOptions(): LaunchOptions {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-software-rasterizer', '--headless=shell'];
  const own = installed.find((path) => existsSync(path));
  if (platform() === 'linux' && arch() === 'x64') {
    const problem = unpack();
    if (problem === undefined) return { executablePath: join(cache, 'chromium'), args, env: environment() };
    if (own === undefined) throw new Error(problem);
  }
  if (own !== undefined) return { executablePath: own, args, env: ownEnvironment() };
  throw new Error('The browser tests need Chromium or Google Chrome; install one of them and try again.');
}

/** @returns the reason why the browser cannot run here; undefined when it can */
function unpack(): string | undefined {
  if (!existsSync(cache)) extract();
  const missing = missingLibraries();
  if (missing.length === 0) return undefined;
  return `The browser lacks ${missing.join(', ')}. On Debian: apt-get install -y libnss3 libnspr4 libexpat1 libgcc-s1`;
}

/** Extracts into a temporary folder and renames it, so that an interrupted run leaves no incomplete browser. */
function extract(): void {
  mkdirSync(join(cache, '..'), { recursive: true });
  const draft = mkdtempSync(`${cache}-`);
  // The package extracts into TMPDIR. The Lambda environment variable makes it add the libraries that a minimal system
  // lacks.
  const env = { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' };
  const code = "import('@sparticuz/chromium').then((chromium) => chromium.default.executablePath())";
  const child = spawnSync(process.execPath, ['-e', code], { env, encoding: 'utf8' });
  try {
    if (child.status !== 0) throw new Error(`The browser could not be unpacked:\n${child.stderr}`);
    writeFileSync(join(draft, 'fonts.conf'), fontsOf(cache));
    renameSync(draft, cache);
  } catch (error) {
    // A concurrent run may have finished first.
    if (!existsSync(cache)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function fontsOf(folder: string): string {
  const folders = ['/usr/share/fonts', join(folder, 'fonts', 'fonts')].map((path) => `<dir>${path}</dir>`).join('');
  const cacheFolder = `<cachedir>${join(folder, 'fonts-cache')}</cachedir>`;
  return `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${folders}${cacheFolder}</fontconfig>`;
}

/** Without a UTF-8 locale, Chromium names a file with non-ASCII characters "download". */
const ownEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env, LC_ALL: 'C.UTF-8' });

/** The system's libraries take precedence over the bundled ones. */
function environment(): NodeJS.ProcessEnv {
  const env = ownEnvironment();
  if (listMissing(env).length > 0) env.LD_LIBRARY_PATH = bundledLibraries;
  if (!existsSync('/etc/fonts/fonts.conf')) env.FONTCONFIG_FILE = join(cache, 'fonts.conf');
  return env;
}

function missingLibraries(): string[] {
  return listMissing({ ...process.env, LD_LIBRARY_PATH: bundledLibraries });
}

function listMissing(env: NodeJS.ProcessEnv): string[] {
  const ldd = spawnSync('ldd', [join(cache, 'chromium')], { env, encoding: 'utf8' });
  const lines = (ldd.stdout ?? '').split('\n').filter((line) => line.includes('not found'));
  return lines.map((line) => line.trim().split(' ')[0] ?? line);
}
