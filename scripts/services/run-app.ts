import { ensureBuild, isBuilt } from '@/scripts/build/ensure-build';
import { generatePaths } from '@/scripts/build/generate-paths';
import type { Lifetime } from '@/scripts/process/lifetime';
import { showProgress } from '@/scripts/process/progress';
import { appPort, startApp } from './app';
import { lockDataDir } from './lock-data-dir';
import { runUntilEnded } from './run-until-ended';
import { startServices } from './start-services';
import { formatPreview, formatWelcome } from './welcome';

/**
 * Runs `npm run demo` (the built app) or `npm run dev` (hot reload), with the same services, data and accounts.
 * @param mode which of the two
 */
export async function runApp(lifetime: Lifetime, mode: 'start' | 'dev'): Promise<void> {
  const started = Date.now();
  const { say: print, step, end } = showProgress();
  const say = (part: string) => (line: string) => print(`  ${part} | ${line}`);
  const dataDir = process.env.DATA_DIR || '.data';
  await lockDataDir(lifetime, dataDir, say('services'));
  const port = await appPort(mode === 'dev' ? 'dev' : 'demo');
  if (mode === 'dev') generatePaths();
  const needsBuild = mode === 'start' && !isBuilt();
  if (needsBuild) print(formatPreview(port));
  const show = (line: string, stream: 'out' | 'error') => {
    // In development the compiler's output is shown as well.
    if (stream === 'error' || mode === 'dev') say('app')(line);
  };

  // The database is created and filled during the build.
  const building = needsBuild ? step('building the app', ensureBuild(lifetime, say('build'))) : Promise.resolve();
  const options = { appEnv: 'demo', port, dataDir, say: say('services') } as const;
  const starting = step('starting the services', startServices(lifetime, options)).then(async (services) => {
    const [app] = await Promise.all([
      building.then(() => step('starting the app', startApp(lifetime, mode, services.env, show))),
      step('writing the demo data', services.seeded),
    ]);
    return { services, app };
  });
  const [{ services, app }] = await Promise.all([starting, building]);
  end();
  process.stdout.write(formatWelcome(services.env, services.gatewayPort, Date.now() - started));
  await runUntilEnded(lifetime, [app, services.gateway]);
}
