import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { Lifetime } from '@/scripts/process/lifetime';
import { projectRoot } from '@/scripts/process/root';

/** A version of the command line whose dependencies the registry has. It is no dependency: it is larger than all of them. */
const cliVersion = '60.1.3';
const cliFolder = join(projectRoot, 'node_modules', '.cache', `vercel-cli-${cliVersion}`);
const vercelFolder = join(projectRoot, '.vercel');
const outputFolder = join(vercelFolder, 'output');
/** Where the functions are unpacked; in the project, because hard links need the same file system. */
const unpackedFolder = join(vercelFolder, 'unpacked');

const condition = z.object({ type: z.string(), key: z.string().optional(), value: z.string().optional() });
const routeSchema = z.object({
  src: z.string().optional(),
  dest: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  status: z.number().optional(),
  handle: z.string().optional(),
  middlewarePath: z.string().optional(),
  continue: z.boolean().optional(),
  has: z.array(condition).optional(),
  missing: z.array(condition).optional(),
});
const configSchema = z.object({
  routes: z.array(routeSchema),
  crons: z.array(z.object({ path: z.string(), schedule: z.string() })).default([]),
});
const functionSchema = z.object({
  handler: z.string(),
  useWebApi: z.boolean().default(false),
  filePathMap: z.record(z.string(), z.string()).default({}),
});

/** One entry of `routes` in the Build Output API's config.json (vercel.com/docs/build-output-api/configuration). */
export type Route = z.infer<typeof routeSchema>;

export type VercelFunction = {
  /** Its folder in the output, such as `api/health`. Others with the same code are links to it. */
  name: string;
  /** The unpacked handler. */
  handler: string;
  useWebApi: boolean;
  /** All of its files, not compressed. Vercel allows 250 MB. */
  sizeBytes: number;
};

export type BuildOutput = {
  routes: Route[];
  crons: { path: string; schedule: string }[];
  functions: VercelFunction[];
  /** Returns the function of a path such as `/api/health`; undefined when there is none. */
  findFunction(path: string): VercelFunction | undefined;
  /** Returns the file of a static path; undefined when there is none. */
  findFile(path: string): string | undefined;
};

/**
 * Runs `vercel build` as the platform does, with the build command of vercel.json, and unpacks its functions.
 * @param env the variables of the deployment
 * @throws Error when the command line cannot be installed or the build fails
 */
export async function buildForVercel(
  lifetime: Lifetime,
  env: Record<string, string>,
  say: (line: string) => void,
): Promise<BuildOutput> {
  const cli = join(cliFolder, 'node_modules', 'vercel', 'dist', 'index.js');
  if (!existsSync(cli)) {
    say(`Installing vercel@${cliVersion} …`);
    mkdirSync(cliFolder, { recursive: true });
    writeFileSync(join(cliFolder, 'package.json'), '{ "private": true }');
    await run(
      lifetime,
      'npm',
      ['install', '--ignore-scripts', '--no-audit', '--no-fund', `vercel@${cliVersion}`],
      cliFolder,
      {},
      say,
    );
  }
  rmSync(outputFolder, { recursive: true, force: true });
  mkdirSync(vercelFolder, { recursive: true });
  // What `vercel pull` would write for a linked project.
  const settings = { framework: 'nextjs', nodeVersion: '22.x' };
  writeFileSync(join(vercelFolder, 'project.json'), JSON.stringify({ projectId: 'local', orgId: 'local', settings }));
  const args = [cli, 'build', '--prod', '--yes', '--token', 'unused'];
  await run(lifetime, process.execPath, args, projectRoot, { ...env, VERCEL_TELEMETRY_DISABLED: '1' }, say);
  return readOutput();
}

/** Reads the output of the last build and unpacks its functions. */
function readOutput(): BuildOutput {
  const { routes, crons } = configSchema.parse(readJson(join(outputFolder, 'config.json')));
  const folders = readdirSync(join(outputFolder, 'functions'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.func'),
  );
  rmSync(unpackedFolder, { recursive: true, force: true });
  const functions = folders
    .filter((path) => lstatSync(join(outputFolder, 'functions', path)).isDirectory())
    .map((path) => unpack(path));
  const byFolder = new Map(functions.map((one) => [`${one.name}.func`, one]));
  return {
    routes,
    crons,
    functions,
    findFunction: (path) => {
      const folder = join(outputFolder, 'functions', `${path}.func`);
      if (!existsSync(folder)) return undefined;
      return byFolder.get(relative(join(outputFolder, 'functions'), realpathSync(folder)));
    },
    findFile: (path) => {
      const file = join(outputFolder, 'static', path);
      return existsSync(file) && statSync(file).isFile() ? file : undefined;
    },
  };
}

function unpack(path: string): VercelFunction {
  const source = join(outputFolder, 'functions', path);
  const { handler, useWebApi, filePathMap } = functionSchema.parse(readJson(join(source, '.vc-config.json')));
  const name = path.replace(/\.func$/, '');
  const target = join(unpackedFolder, name.replaceAll('/', '-'));
  cpSync(source, target, { recursive: true });
  for (const [inFunction, inProject] of Object.entries(filePathMap)) {
    const file = join(target, inFunction);
    mkdirSync(dirname(file), { recursive: true });
    const original = join(projectRoot, inProject);
    if (lstatSync(original).isSymbolicLink()) symlinkSync(readlinkSync(original), file);
    // A symbolic link would let the code find files beside the original that the function does not have.
    else linkSync(original, file);
  }
  const sizeBytes = readdirSync(target, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  return { name, handler: join(target, handler), useWebApi, sizeBytes };
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** @throws Error with the command's last lines when it fails */
async function run(
  lifetime: Lifetime,
  command: string,
  args: string[],
  cwd: string,
  env: Record<string, string>,
  say: (line: string) => void,
): Promise<void> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      if (line.trim()) say(line);
    });
  }
  const ended = once(child, 'close');
  await lifetime.own(Promise.resolve(child), async () => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    process.kill(-child.pid, 'SIGTERM');
    await ended;
  });
  const [code] = await ended;
  if (code !== 0) throw new Error(`${command} ${args.at(-1)} failed:\n${lines.slice(-30).join('\n')}`);
}
