import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import type { LaunchOptions } from '@playwright/test';

/** The browser of the npm registry is unpacked here once. Commands run from the project's folder. */
const cache = join(process.cwd(), 'node_modules', '.cache', 'linkmarket-chromium-147');
const bundledLibraries = join(cache, 'al2023', 'lib');

/** Browsers that a machine may have of its own; the only ones where the npm registry's does not run. */
const installed = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * How every browser of the tests and of the scripts is started.
 * @throws Error that says what to install when there is no browser that runs here
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

/** @returns why the browser cannot run here; undefined when it can */
function unpack(): string | undefined {
  if (!existsSync(cache)) extract();
  const missing = missingLibraries();
  if (missing.length === 0) return undefined;
  return `The browser lacks ${missing.join(', ')}. On Debian: apt-get install -y libnss3 libnspr4 libexpat1 libgcc-s1`;
}

/** Into a folder of its own, then renamed: a run killed in the middle leaves no half a browser. */
function extract(): void {
  mkdirSync(join(cache, '..'), { recursive: true });
  const draft = mkdtempSync(`${cache}-`);
  // The package unpacks into TMPDIR. Named as running in Lambda, it adds the libraries that a bare system lacks.
  const env = { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' };
  const code = "import('@sparticuz/chromium').then((chromium) => chromium.default.executablePath())";
  const child = spawnSync(process.execPath, ['-e', code], { env, encoding: 'utf8' });
  try {
    if (child.status !== 0) throw new Error(`The browser could not be unpacked:\n${child.stderr}`);
    writeFileSync(join(draft, 'fonts.conf'), fontsOf(cache));
    renameSync(draft, cache);
  } catch (error) {
    // Another run may have been faster.
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

/** Where the language of the machine is not UTF-8, or is not set, Chromium calls a file of another name "download". */
const ownEnvironment = (): NodeJS.ProcessEnv => ({ ...process.env, LC_ALL: 'C.UTF-8' });

/** The system's libraries come first; the bundled ones stand in for those it has not. */
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
