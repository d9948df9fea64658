import { ensureBuild } from '../build/ensure-build';
import type { Lifetime } from '../process/lifetime';
import { appPort, startApp } from './app';
import { holdDataDir } from './hold-data-dir';
import { runUntilEnded } from './run-until-ended';
import { startServices } from './start-services';
import { welcome } from './welcome';

/**
 * `npm run demo` (the built app) and `npm run dev` (hot reload): the same services, the same data, the same accounts.
 * @param mode which of the two
 */
export async function runApp(lifetime: Lifetime, mode: 'start' | 'dev'): Promise<void> {
  const started = Date.now();
  const say = (line: string) => process.stdout.write(`  ${line}\n`);
  const dataDir = process.env.DATA_DIR || '.data';
  await holdDataDir(lifetime, dataDir, (line) => say(`services | ${line}`));
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
    // In development the compiler's lines are wanted too; Next.js prints its own greeting there.
    if (stream === 'error' || mode === 'dev') say(`app | ${line}`);
  };
  const [app] = await Promise.all([startApp(lifetime, mode, services.env, show), services.seeded]);
  process.stdout.write(welcome(services.env, services.gatewayPort, Date.now() - started));
  await runUntilEnded(lifetime, [app, services.gateway]);
}
