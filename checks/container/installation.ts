import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Lifetime } from '@/scripts/process/lifetime';
import { pickFreePort } from '@/scripts/process/ports';
import type { Engine } from './engine';
import { type HttpsClient, openHttpsClient, waitUntil } from './https-client';

const project = 'linkmarket-check';
export const instances = ['app-1', 'app-2'] as const;
type Instance = (typeof instances)[number];

const inspected = z.tuple([
  z.object({
    State: z.object({
      Status: z.string(),
      ExitCode: z.number(),
      StartedAt: z.string(),
      Health: z.object({ Status: z.string() }).nullish(),
    }),
    NetworkSettings: z.object({ Ports: z.record(z.string(), z.unknown().array().nullable()).nullish() }),
  }),
]);

type ContainerState = { status: string; exitCode: number; startedAt: string; health: string; ports: string[] };

export type Installation = {
  admin: { email: string; password: string };
  /** The values that must not be part of the image. */
  secrets: string[];
  /** Starts everything that is not running, and waits until Caddy answers. */
  up: () => Promise<void>;
  compose: (...args: string[]) => Promise<string>;
  /** The states of a service's container: its status, exit code, start, health and published ports. */
  inspect: (service: string) => Promise<ContainerState>;
  /** Evaluates an expression with Node.js in the container of a service. @returns what it prints */
  evaluate: (service: string, expression: string) => Promise<string>;
  waitForHealth: (service: Instance) => Promise<void>;
  /** Lets Caddy reach this instance only. */
  runOnly: (instance: Instance) => Promise<void>;
  /** A browser without cookies, at the public address or at another one. */
  open: (at?: string) => Promise<HttpsClient>;
  origin: string;
  /** The address that Caddy redirects to `origin`. */
  httpOrigin: string;
};

/**
 * Prepares compose.yaml with secrets of its own and free ports. Its containers and volumes are removed at the end.
 * @param images the variables of compose.yaml that select images
 */
export async function prepareInstallation(
  lifetime: Lifetime,
  engine: Engine,
  { folder, images, isKept }: { folder: string; images: Record<string, string>; isKept: boolean },
): Promise<Installation> {
  const secret = () => randomBytes(32).toString('hex');
  const [httpPort, httpsPort] = [await pickFreePort(), await pickFreePort()];
  const origin = `https://localhost:${httpsPort}`;
  const secrets = {
    DATABASE_OWNER_PASSWORD: secret(),
    DATABASE_APP_PASSWORD: secret(),
    NEXTAUTH_SECRET: secret(),
    SECRET_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    ADMIN_PASSWORD: secret(),
  };
  const settings = {
    ...secrets,
    ...images,
    APP_URL: origin,
    HTTP_PORT: httpPort,
    HTTPS_PORT: httpsPort,
    ADMIN_EMAIL: 'admin@example.com',
    // Beside an installation that has the default addresses.
    WEB_SUBNET: '172.30.78.0/24',
    WEB_RANGE: '172.30.78.128/25',
    CADDY_ADDRESS: '172.30.78.2',
  };
  const envFile = join(folder, '.env');
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(envFile, lines.join(''), { mode: 0o600 });
  const compose = (...args: string[]) =>
    engine.compose(['--project-name', project, '--env-file', envFile, '--ansi', 'never', ...args]);

  const remove = () => compose('down', '--volumes', '--remove-orphans', '--timeout', '40').then(() => undefined);
  // Of a run that was killed.
  await remove();
  await lifetime.own(Promise.resolve(remove), (run) => (isKept ? undefined : run()));
  if (engine.name === 'podman') await lifetime.own(Promise.resolve(startHealthChecks(engine)), (stop) => stop());

  const inspect: Installation['inspect'] = async (service) => {
    const id = (await compose('ps', '--all', '--quiet', service)).trim();
    const [container] = inspected.parse(JSON.parse(await engine.run(['container', 'inspect', id])));
    const { State, NetworkSettings } = container;
    const ports = Object.entries(NetworkSettings.Ports ?? {}).flatMap(([port, host]) => (host?.length ? port : []));
    const { Status: status, ExitCode: exitCode, StartedAt: startedAt, Health } = State;
    return { status, exitCode, startedAt, health: Health?.Status ?? '', ports };
  };
  const waitForHealth = (service: Instance) =>
    waitUntil(`${service} is healthy`, 120, async () => (await inspect(service)).health === 'healthy');
  const open = async (at = origin) =>
    openHttpsClient(at, await compose('exec', '-T', 'caddy', 'cat', '/data/caddy/pki/authorities/local/root.crt'));
  const waitForCaddy = () =>
    waitUntil('Caddy answers', 60, async () => {
      const answer = await open()
        .then((client) => client.get('/api/health'))
        .catch(() => undefined);
      return answer?.status === 200;
    });
  return {
    admin: { email: settings.ADMIN_EMAIL, password: secrets.ADMIN_PASSWORD },
    secrets: Object.values(secrets),
    compose,
    inspect,
    waitForHealth,
    open,
    origin,
    httpOrigin: `http://localhost:${httpPort}`,
    up: async () => {
      await compose('up', '--detach', '--no-build');
      await Promise.all(instances.map(waitForHealth));
      await waitForCaddy();
    },
    evaluate: (service, expression) => compose('exec', '-T', service, 'node', '-p', expression),
    runOnly: async (instance) => {
      await compose('start', instance);
      await waitForHealth(instance);
      await compose('stop', ...instances.filter((other) => other !== instance));
      // Until Caddy's next check of the stopped instance: up to 2.11.1 it answers a POST that it tried there with 502.
      await sleep(3_000);
      await waitForCaddy();
    },
  };
}

/** Starts health checks. Podman runs them with timers of systemd, which containers and sandboxes do not have. */
function startHealthChecks(engine: Engine): () => Promise<void> {
  let isStopped = false;
  const check = async () => {
    const filter = `label=com.docker.compose.project=${project}`;
    while (!isStopped) {
      const ids = await engine.run(['ps', '--quiet', '--filter', filter]).catch(() => '');
      // Fails for an unhealthy container, and for one without a check.
      for (const id of ids.split('\n').filter(Boolean))
        await engine.run(['healthcheck', 'run', id]).catch(() => undefined);
      await sleep(2_000, undefined, { ref: false });
    }
  };
  const checking = check();
  return async () => {
    isStopped = true;
    await checking;
  };
}
