import { ensureBuild } from '../build/ensure-build';
import type { Lifetime } from '../process/lifetime';
import { appPort, startApp } from './app';
import { lockDataDir } from './lock-data-dir';
import { runUntilEnded } from './run-until-ended';
import { startServices } from './start-services';
import { formatWelcome } from './welcome';

/**
 * Runs `npm run demo` (the built app) or `npm run dev` (hot reload), with the same services, data and accounts.
 * @param mode which of the two
 */
export async function runApp(lifetime: Lifetime, mode: 'start' | 'dev'): Promise<void> {
  const started = Date.now();
  const say = (line: string) => process.stdout.write(`  ${line}\n`);
  const dataDir = process.env.DATA_DIR || '.data';
  await lockDataDir(lifetime, dataDir, (line) => say(`services | ${line}`));
  const port = await appPort(mode === 'dev' ? 'dev' : 'demo');
  if (mode === 'start') {
    await ensureBuild(lifetime, (line) => say(`build | ${line}`));
  }
  const services = await startServices(lifetime, {
    appEnv: 'demo',
    port,
    dataDir,
    say: (line) => say(`services | ${line}`),
  });
  const show = (line: string, stream: 'out' | 'error') => {
    // In development the compiler's output is shown as well.
    if (stream === 'error' || mode === 'dev') say(`app | ${line}`);
  };
  const [app] = await Promise.all([startApp(lifetime, mode, services.env, show), services.seeded]);
  process.stdout.write(formatWelcome(services.env, services.gatewayPort, Date.now() - started));
  await runUntilEnded(lifetime, [app, services.gateway]);
}
