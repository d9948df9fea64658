import { isIPv6 } from 'node:net';
import { type Child, startChild } from '../process/child';
import type { Lifetime } from '../process/lifetime';
import { withoutDotEnv } from '../process/load-dot-env';
import { isPortFree } from '../process/ports';
import { waitForHttp } from '../process/wait-for-http';

/** A little more than the app takes to end in order (lib/platform/lifecycle/graceful-shutdown.ts). */
export const endPatienceMs = 25_000;

const nextBin = 'node_modules/next/dist/bin/next';

/**
 * The port that PORT names (3000 when unset).
 * @throws Error that names the variable to change when it is no port, or somebody listens there
 */
export async function appPort(command: string): Promise<number> {
  const port = Number(process.env.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`PORT=${process.env.PORT} is not a port.`);
  // The app of a run that was killed a moment ago needs that moment to end.
  for (const deadline = Date.now() + 5_000; Date.now() < deadline; ) if (await isPortFree(port)) return port;
  const other = port + 100 > 65_535 ? port - 100 : port + 100;
  throw new Error(`Port ${port} is in use. Set PORT to another one, e.g. PORT=${other} npm run ${command}`);
}

/**
 * Starts Next.js, built (`start`) or with hot reload (`dev`), and waits until it answers. It listens on LISTEN_ADDRESS,
 * unset on 127.0.0.1: passwords of the demo are known to everyone.
 */
export async function startApp(
  lifetime: Lifetime,
  mode: 'start' | 'dev',
  env: { PORT: string } & Record<string, string | undefined>,
  onLine: (line: string, stream: 'out' | 'error') => void,
): Promise<Child> {
  const address = process.env.LISTEN_ADDRESS || '127.0.0.1';
  const app = startChild({
    name: 'app',
    args: [nextBin, mode, '-p', env.PORT, '-H', address],
    env: {
      ...withoutDotEnv(),
      ...env,
      NODE_ENV: mode === 'dev' ? 'development' : 'production',
      ...(mode === 'start' && { NEXT_MANUAL_SIG_HANDLE: 'true' }),
    },
    patienceMs: endPatienceMs,
    onLine,
  });
  await lifetime.own(Promise.resolve(app), (child) => child.stop());
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  const host = isIPv6(reachable) ? `[${reachable}]` : reachable;
  await waitForHttp(`http://${host}:${env.PORT}/user/login`, app, 120_000);
  return app;
}
