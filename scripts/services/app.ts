import { isIPv6 } from 'node:net';
import { type Child, startChild } from '@/scripts/process/child';
import type { Lifetime } from '@/scripts/process/lifetime';
import { withoutDotEnv } from '@/scripts/process/load-dot-env';
import { isPortFree } from '@/scripts/process/ports';
import { waitForHttp } from '@/scripts/process/wait-for-http';

/** Slightly longer than the app's own shutdown timeout (lib/platform/lifecycle/start-server-process.ts). */
export const shutdownTimeoutMs = 25_000;

const nextBin = 'node_modules/next/dist/bin/next';

/**
 * Returns the port of PORT (3000 when unset).
 * @throws Error with the variable to change when it is invalid or in use
 */
export async function appPort(command: string): Promise<number> {
  const port = Number(process.env.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`PORT=${process.env.PORT} is not a port.`);
  // The app of a run that was just killed needs a moment to end.
  for (const deadline = Date.now() + 5_000; Date.now() < deadline; ) if (await isPortFree(port)) return port;
  const other = port + 100 > 65_535 ? port - 100 : port + 100;
  throw new Error(`Port ${port} is in use. Set PORT to another one, e.g. PORT=${other} npm run ${command}`);
}

/**
 * Starts Next.js, built (`start`) or with hot reload (`dev`), and waits until it responds. It listens on
 * LISTEN_ADDRESS, by default 127.0.0.1, because the demo's passwords are public.
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
    killTimeoutMs: shutdownTimeoutMs,
    onLine,
  });
  await lifetime.own(Promise.resolve(app), (child) => child.stop());
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  const host = isIPv6(reachable) ? `[${reachable}]` : reachable;
  await waitForHttp(`http://${host}:${env.PORT}/user/login`, app, 120_000);
  return app;
}
