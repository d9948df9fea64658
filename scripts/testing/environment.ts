import { ensureBuild, isBuilt } from '@/scripts/build/ensure-build';
import { startPostgres } from '@/scripts/postgres/start';
import type { Lifetime } from '@/scripts/process/lifetime';
import { pickFreePort } from '@/scripts/process/ports';
import type { Progress } from '@/scripts/process/progress';
import { startApp } from '@/scripts/services/app';
import { startServices } from '@/scripts/services/start-services';
import type { Suite } from './suites';

type Variables = Record<string, string>;

/** A database server is kept for the next run of single files for this long after the last one. */
const keepMs = 15 * 60_000;

/**
 * Returns a function that starts the requirements of a suite on first use and returns their environment. The database
 * server, the app and the gateway are shared by all suites of the run.
 * @param folders `keptDataDir` is the folder of a database server that outlives the run
 */
export function testEnvironment(
  lifetime: Lifetime,
  { say, step }: Progress,
  { dataDir, keptDataDir }: { dataDir: string; keptDataDir?: string },
): (needs: Suite['needs']) => Promise<Variables> {
  // The tests use their own database and gateway; a developer's settings must not affect them.
  for (const name of [...Object.keys(process.env)]) {
    if (
      /^(DATABASE_|MIGRATION_|S3_|RESEND_|SMTP_|PUBLISHER_|ADMIN_|NEXTAUTH_|APP_|GATEWAY_PORT$|SECRET_KEYS$|JOBS$|CRON_SECRET$|LISTEN_ADDRESS$|TRUSTED_|ALLOW_|VERCEL$)/.test(
        name,
      )
    ) {
      delete process.env[name];
    }
  }
  let database: Promise<Variables> | undefined;
  let build: Promise<void> | undefined;
  let app: Promise<Variables> | undefined;
  const built = () => {
    build ??= isBuilt()
      ? Promise.resolve()
      : step(
          'build',
          ensureBuild(lifetime, (line) => say(`build  | ${line}`)),
        );
    return build;
  };
  return async (needs) => {
    if (needs === 'nothing') return {};
    if (needs === 'database') {
      database ??= startDatabase(lifetime, keptDataDir ?? dataDir, keptDataDir === undefined ? 0 : keepMs);
      return database;
    }
    if (needs === 'build') {
      await built();
      return {};
    }
    app ??= built().then(() => step('app', start(lifetime, dataDir, say)));
    return app;
  };
}

async function startDatabase(lifetime: Lifetime, dataDir: string, lingerMs: number): Promise<Variables> {
  const server = await lifetime.own(startPostgres(dataDir, { durable: false, lingerMs }), (postgres) =>
    postgres.stop(),
  );
  return { TEST_DATABASE_ADMIN_URL: server.adminUrl, TEST_DATABASE_APP_URL: server.appUrl };
}

async function start(lifetime: Lifetime, dataDir: string, say: (line: string) => void): Promise<Variables> {
  const services = await startServices(lifetime, {
    appEnv: 'test',
    port: await pickFreePort(),
    dataDir,
    durable: false,
    say: (line) => say(`app    | ${line}`),
  });
  const show = (line: string, stream: 'out' | 'error') => {
    if (stream === 'error') say(`app    | ${line}`);
  };
  await Promise.all([startApp(lifetime, 'start', services.env, show), services.seeded]);
  return {
    ...services.env,
    TEST_APP_URL: services.env.APP_URL,
    TEST_GATEWAY_URL: `http://127.0.0.1:${services.gatewayPort}`,
  };
}
