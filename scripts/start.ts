import { availableParallelism } from 'node:os';
import { stripVTControlCharacters } from 'node:util';
import { closeDb } from '@/db/client';
import { listFailingHosts } from '@/db/open-pool';
import { describeSetup } from '@/lib/auth/setup-code';
import { parseEnv, processNumberVariable } from '@/lib/env';
import { redactText } from '@/lib/platform/log/redact';
import { serveClusterMetrics } from '@/lib/platform/metrics/cluster-metrics';
import { ensureFirstAdmin } from '@/lib/users/first-admin';
import { hasBuild } from './build/ensure-build';
import { startChild } from './process/child';
import { runCommand } from './process/lifetime';
import { loadDotEnv } from './process/load-dot-env';
import { shutdownTimeoutMs } from './services/app';
import { checkMigrations } from './services/check-migrations';
import { runCluster } from './services/cluster';
import { runUntilEnded } from './services/run-until-ended';

/** Converts output before the logger starts, or during a crash, to a log line. */
function asLogLine(line: string, stream: 'out' | 'error'): string {
  if (line.startsWith('{')) return line;
  const level = stream === 'out' ? 'info' : 'error';
  return JSON.stringify({
    level,
    time: new Date().toISOString(),
    msg: redactText(stripVTControlCharacters(line).trim()),
  });
}

/**
 * `npm start`: runs the built app with an existing database and secrets, without demo data, sandbox or embedded server;
 * with WEB_CONCURRENCY in several processes.
 */
runCommand(async (lifetime) => {
  loadDotEnv();
  const env = parseEnv(process.env);
  if (!hasBuild()) throw new Error('There is no build yet. Run npm run build first.');
  await checkMigrations(env.MIGRATION_DATABASE_URL ?? env.DATABASE_URL);
  for (const { message } of await listFailingHosts(env.DATABASE_URL))
    process.stderr.write(`${asLogLine(message, 'error')}\n`);
  if (env.ADMIN_EMAIL && env.ADMIN_PASSWORD) {
    const result = await lifetime.own(ensureFirstAdmin(env.ADMIN_EMAIL, env.ADMIN_PASSWORD), () => closeDb());
    if (result === 'created')
      process.stdout.write(`${asLogLine('The first admin was created from ADMIN_EMAIL.', 'out')}\n`);
  }
  const setup = await lifetime.own(describeSetup(), () => closeDb());
  if (setup !== null) process.stdout.write(`${asLogLine(setup, 'out')}\n`);
  await closeDb();
  const next = 'node_modules/next/dist/bin/next';
  const args = ['start', '-p', String(env.PORT), ...(env.LISTEN_ADDRESS ? ['-H', env.LISTEN_ADDRESS] : [])];
  const appEnv = { NODE_ENV: 'production', APP_URL: env.APP_URL, NEXT_MANUAL_SIG_HANDLE: 'true' };
  const onLine = (line: string, stream: 'out' | 'error') =>
    void (stream === 'out' ? process.stdout : process.stderr).write(`${asLogLine(line, stream)}\n`);
  const size = env.WEB_CONCURRENCY === 'auto' ? availableParallelism() : env.WEB_CONCURRENCY;
  if (size > 1) {
    const log = (text: string, level: 'info' | 'error') =>
      onLine(JSON.stringify({ level, time: new Date().toISOString(), msg: text }), 'out');
    serveClusterMetrics((reason) => log(reason, 'error'));
    await runCluster(lifetime, {
      exec: next,
      args,
      size,
      // The jobs run in one process; on several hosts in one of each.
      env: (index) => ({
        ...appEnv,
        NEXT_TELEMETRY_DISABLED: '1',
        JOBS: index === 0 ? env.JOBS : 'off',
        [processNumberVariable]: String(index + 1),
      }),
      killTimeoutMs: shutdownTimeoutMs,
      onLine,
      log,
    });
  }
  const app = startChild({ name: 'app', args: [next, ...args], env: appEnv, killTimeoutMs: shutdownTimeoutMs, onLine });
  await lifetime.own(Promise.resolve(app), (child) => child.stop());
  await runUntilEnded(lifetime, [app]);
});
