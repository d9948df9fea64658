import { join } from 'node:path';
import type { Lifetime } from '@/scripts/process/lifetime';
import { pickFreePort } from '@/scripts/process/ports';
import { startApp } from '@/scripts/services/app';
import { startServices } from '@/scripts/services/start-services';
import { startTraffic } from './traffic';

/**
 * Starts the services, instances of the built app on the database of the environment, and traffic over all of them.
 * @param folder of the data and the journal
 * @param settings the variables of each instance
 */
export async function startInstallation(lifetime: Lifetime, folder: string, settings: Record<string, string>[]) {
  const ports: number[] = [];
  for (const _ of settings) ports.push(await pickFreePort());
  const origins = ports.map((port) => `http://127.0.0.1:${port}`);
  const [port = 0] = ports;
  const [appUrl = ''] = origins;
  process.env.APP_URL = appUrl;
  const services = await startServices(lifetime, {
    appEnv: 'test',
    port,
    dataDir: join(folder, 'app'),
    say: (line) => process.stdout.write(`${line}\n`),
  });
  Object.assign(process.env, services.env);
  await services.seeded;
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  for (const [index, own] of settings.entries())
    await startApp(lifetime, 'start', { ...services.env, ...own, PORT: String(ports[index]) }, print);
  const journal = join(folder, 'journal.jsonl');
  const traffic = await startTraffic(appUrl, origins, `http://127.0.0.1:${services.gatewayPort}`, journal);
  return { appUrl, origins, traffic, journal, printed: () => lines.join('\n') };
}
