import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCommandName } from '@/scripts/process/identity';
import { isPortFree, pickFreePort } from '@/scripts/process/ports';
import type { Account } from './account';

/** The paths and account of a server. */
export type Server = { cluster: string; binaries: string; account: Account | undefined };

const unusedPid = 2_147_483_646;

/** Returns the port of the running server, or undefined. Reads the server's pid file without a connection. */
export function findRunningPort({ cluster }: Server): number | undefined {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  if (getCommandName(Number(lines[0])) === 'postgres') return Number(lines[3]) || undefined;
  // The server was killed. Its pid may belong to another process now (a restarted container reuses pids), and
  // PostgreSQL would refuse to start. An unused pid keeps its second check: that the shared memory named in the file is
  // not in use.
  writeFileSync(file, [unusedPid, ...lines.slice(1)].join('\n'));
  return undefined;
}

/**
 * Starts the server and waits until it accepts connections.
 * @param portFile stores the port, which is reused when it is free
 * @param durable false disables protection against power loss: for tests only
 * @returns the port
 */
export async function startServer(server: Server, portFile: string, durable: boolean): Promise<number> {
  const remembered = existsSync(portFile) ? Number(readFileSync(portFile, 'utf8')) : 0;
  let problem = '';
  // Another program may take the port in the meantime, so a failed start is retried with a new port.
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const reuse = attempt === 0 && remembered > 0 && (await isPortFree(remembered));
    const port = reuse ? remembered : await pickFreePort();
    // Tables of tests have no statistics, and statements that seem expensive would be compiled for a few rows.
    const fast = durable ? '' : ' -c fsync=off -c synchronous_commit=off -c full_page_writes=off -c jit=off';
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
  throw new Error(`PostgreSQL did not start:\n${problem}`);
}

/** Closes connections and stops the server; does nothing when it is not running. */
export async function stopServer(server: Server): Promise<void> {
  if (findRunningPort(server) === undefined) return;
  const result = await pgCtl(server, ['stop', '-m', 'fast', '-w', '-t', '60']);
  if (!result.ok && findRunningPort(server) !== undefined)
    throw new Error(`PostgreSQL did not stop:\n${result.output}`);
}

function pgCtl({ cluster, binaries, account }: Server, args: string[]): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(binaries, 'bin', 'pg_ctl'), ['-D', cluster, ...args], {
      ...account,
      cwd: '/',
      // A separate session: Ctrl-C in the terminal must not reach the server, which the launcher stops in order.
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
