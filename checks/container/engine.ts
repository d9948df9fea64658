import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lifetime } from '@/scripts/process/lifetime';
import { projectRoot } from '@/scripts/process/root';

/** Docker or Podman, and Compose on top of it. */
export type Engine = {
  name: 'docker' | 'podman';
  /**
   * Runs one of its commands.
   * @returns standard output
   * @throws Error with the command's output when it fails
   */
  run: (args: string[], env?: Record<string, string>) => Promise<string>;
  /** As `run`, for a command of Compose. */
  compose: (args: string[]) => Promise<string>;
};

type Environment = NodeJS.ProcessEnv;

/**
 * Finds the engine: Docker if it responds, otherwise Podman, through whose API Compose then works.
 * @param name the engine to use in any case
 * @param folder an empty folder for its socket and configuration
 * @throws Error that says what is missing
 */
export async function findEngine(lifetime: Lifetime, name: string | undefined, folder: string): Promise<Engine> {
  if (name !== 'podman' && (await succeeds(['docker', 'info'])))
    return { name: 'docker', ...commands('docker', await findCompose(process.env), process.env) };
  if (name === 'docker' || !(await succeeds(['podman', '--version'])))
    throw new Error('Neither Docker nor Podman responds. Start Docker, or install Podman and run this as root.');
  const socket = `unix://${join(folder, 'podman.sock')}`;
  const env = { ...process.env, ...limitsOf(folder), DOCKER_HOST: socket, DOCKER_BUILDKIT: '0' };
  const service = spawn('podman', ['system', 'service', '--time=0', socket], { env, stdio: 'ignore' });
  await lifetime.own(Promise.resolve(service), stopService);
  while (!existsSync(join(folder, 'podman.sock'))) {
    if (service.exitCode !== null) throw new Error('podman system service ended. Run it by hand to see why.');
    await sleep(100);
  }
  return { name: 'podman', ...commands('podman', await findCompose(env), env) };
}

function stopService(service: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (service.exitCode !== null) return resolve();
    service.once('exit', () => resolve());
    service.kill('SIGTERM');
  });
}

function commands(engine: string, compose: string[], env: Environment): Pick<Engine, 'run' | 'compose'> {
  return {
    run: (args, more) => execute([engine, ...args], { ...env, ...more }),
    compose: (args) => execute([...compose, ...args], env),
  };
}

async function findCompose(env: Environment): Promise<string[]> {
  for (const command of [['docker', 'compose'], ['docker-compose']]) {
    const version = await execute([...command, 'version', '--short'], env).catch(() => '');
    if (/^v?[2-9]/.test(version)) return command;
  }
  throw new Error('Compose 2 or newer was not found: neither docker compose nor docker-compose.');
}

/**
 * Configures Podman for a machine, such as a sandbox, that does not let it raise limits, and whose cgroups crun does not
 * support because both versions are mounted.
 */
function limitsOf(folder: string): Record<string, string> {
  if (process.env.CONTAINERS_CONF) return {};
  const path = join(folder, 'containers.conf');
  const runtime = existsSync('/sys/fs/cgroup/unified') ? '[engine]\nruntime = "runc"\n' : '';
  writeFileSync(path, `[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n${runtime}`);
  return { CONTAINERS_CONF: path };
}

const succeeds = (command: string[]) =>
  execute(command, process.env).then(
    () => true,
    () => false,
  );

/** Runs a program in the project's folder. @throws Error with its output when it fails or does not exist */
export function execute([program = '', ...args]: string[], env: Environment = process.env): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: projectRoot, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) return resolve(output);
      reject(new Error(`${[program, ...args].join(' ')} ended with ${code}:\n${output}${errors}`));
    });
  });
}
