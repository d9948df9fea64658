import { runCommand } from '@/scripts/process/lifetime';
import { lockDataDir } from '@/scripts/services/lock-data-dir';
import { startServices } from '@/scripts/services/start-services';

/**
 * The child process of the test of a killed demo: all of its services except the app. Reports its progress to the
 * parent.
 */
runCommand(async (lifetime) => {
  const dataDir = process.argv[2] ?? '';
  const say = (line: string) => process.stdout.write(`${line}\n`);
  await lockDataDir(lifetime, dataDir, say);
  process.send?.('started');
  const { seeded } = await startServices(lifetime, { appEnv: 'demo', port: 3000, dataDir, durable: false, say });
  process.send?.('migrated');
  await seeded;
  process.send?.('seeded');
  await lifetime.end(0);
});
