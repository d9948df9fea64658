import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandOf } from '../process/identity';
import { isPortFree, pickFreePort } from '../process/ports';
import type { Account } from './account';

/** What it takes to drive one server. */
export type Server = { cluster: string; binaries: string; account: Account | undefined };

const nobodysPid = 2_147_483_646;

/** The port of the running server; undefined when none runs. Needs no connection, only the server's own pid file. */
export function runningPort({ cluster }: Server): number | undefined {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  if (commandOf(Number(lines[0])) === 'postgres') return Number(lines[3]) || undefined;
  // The server was killed. Its number may belong to something else by now (a restarted container deals them out again)
  // and PostgreSQL would then refuse to start. A number nobody has keeps its other check: that the shared memory named
  // further down in the file is no longer used.
  writeFileSync(file, [nobodysPid, ...lines.slice(1)].join('\n'));
  return undefined;
}

/**
 * Starts the server and waits until it answers.
 * @param portFile remembers the port; it is used again when it is free
 * @param durable false turns off what protects the data when the machine loses power: for tests only
 * @returns the port
 */
export async function startServer(server: Server, portFile: string, durable: boolean): Promise<number> {
  const remembered = existsSync(portFile) ? Number(readFileSync(portFile, 'utf8')) : 0;
  let problem = '';
  // Another program may take the port between the look and the start, so a failure is tried again with a new one.
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const reuse = attempt === 0 && remembered > 0 && (await isPortFree(remembered));
    const port = reuse ? remembered : await pickFreePort();
    const fast = durable ? '' : ' -c fsync=off -c synchronous_commit=off -c full_page_writes=off';
    const log = join(server.cluster, 'server.log');
    rmSync(log, { force: true });
    const result = await pgCtl(server, ['start', '-w', '-t', '60', '-l', log, '-o', `-p ${port}${fast}`]);
    if (result.ok) {
      writeFileSync(portFile, String(port));
      return port;
    }
    await sleep(500);
    problem = existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(-8).join('\n') : result.output;
  }
  throw new Error(`PostgreSQL does not start:\n${problem}`);
}

/** Ends open connections and stops the server; does nothing when it does not run. */
export async function stopServer(server: Server): Promise<void> {
  if (runningPort(server) === undefined) return;
  const result = await pgCtl(server, ['stop', '-m', 'fast', '-w', '-t', '60']);
  if (!result.ok && runningPort(server) !== undefined) throw new Error(`PostgreSQL does not stop:\n${result.output}`);
}

function pgCtl({ cluster, binaries, account }: Server, args: string[]): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(binaries, 'bin', 'pg_ctl'), ['-D', cluster, ...args], {
      ...account,
      cwd: '/',
      // A session of its own: Ctrl-C in the terminal must not reach the server, the launcher stops it in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
    child.once('error', reject);
    child.once('exit', (code) => resolve({ ok: code === 0, output: Buffer.concat(output).toString() }));
  });
}
