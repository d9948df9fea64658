import { resolve } from 'node:path';
import { type Child, startChild, tsxArgs } from '../process/child';
import type { Lifetime } from '../process/lifetime';
import { openDatabase } from './database';
import { startGateway } from './gateway';
import { gatewayEnv, type PaymentEnv, paymentEnv } from './payment-env';
import { demoSecrets } from './secrets';

export type ServicesOptions = {
  appEnv: 'demo' | 'test';
  port: number;
  dataDir: string;
  /** false for tests: a faster database that need not outlive a power cut. */
  durable?: boolean;
  say: (line: string) => void;
};

export type Services = {
  /** What the app is started with. */
  env: AppEnv;
  gateway: Child;
  gatewayPort: number;
  /** Resolves when the demo data is in the database; the app can start meanwhile. */
  seeded: Promise<void>;
};

export type AppEnv = Record<
  | 'APP_ENV'
  | 'APP_URL'
  | 'PORT'
  | 'DATABASE_URL'
  | 'MIGRATION_DATABASE_URL'
  | 'DATA_DIR'
  | 'NEXTAUTH_SECRET'
  | 'SECRET_KEYS'
  | 'RESEND_API_KEY'
  | 'RESEND_BASE_URL'
  | 'OPENAI_BASE_URL',
  string
> &
  PaymentEnv;

/**
 * Starts what the app needs beside itself, for demo, development and tests: the database with its newest schema, the
 * sandbox gateway and, behind both, the demo data.
 * @throws Error when a part does not start
 */
export async function startServices(lifetime: Lifetime, options: ServicesOptions): Promise<Services> {
  const { appEnv, port, say } = options;
  const dataDir = resolve(options.dataDir);
  // In this sequence, as they are stopped in reverse: what writes is stopped before the database.
  const [database, write, { base, secrets, gateway, gatewayPort, keys }] = await Promise.all([
    openMigrated(lifetime, dataDir, options.durable ?? true),
    startSeeding(lifetime, say),
    demoSecrets(dataDir).then(async (secrets) => {
      const base = {
        APP_ENV: appEnv,
        APP_URL: process.env.APP_URL || `http://localhost:${port}`,
        PORT: String(port),
        DATA_DIR: dataDir,
        // Tests send more than people do.
        ...(appEnv === 'test' && { CHANGES_PER_MINUTE: '1000000' }),
        NEXTAUTH_SECRET: process.env.NEXTAUTH_SECRET || secrets.NEXTAUTH_SECRET,
        SECRET_KEYS: process.env.SECRET_KEYS || secrets.SECRET_KEYS,
      };
      return { base, secrets, ...(await startGateway(lifetime, { ...base, ...gatewayEnv(secrets) }, say)) };
    }),
  ]);
  const env: AppEnv = {
    ...base,
    ...database,
    RESEND_API_KEY: 're_sandbox',
    RESEND_BASE_URL: `http://127.0.0.1:${gatewayPort}`,
    OPENAI_BASE_URL: `http://127.0.0.1:${gatewayPort}/v1`,
    ...paymentEnv(secrets, gatewayPort, keys),
  };
  return { env, gateway, gatewayPort, seeded: write(env) };
}

async function openMigrated(lifetime: Lifetime, dataDir: string, durable: boolean) {
  const [urls, { migrateDatabase }] = await Promise.all([
    openDatabase(lifetime, dataDir, durable),
    // Loaded while PostgreSQL is on its way.
    import('@/db/migrate'),
  ]);
  await migrateDatabase(urls.MIGRATION_DATABASE_URL);
  return urls;
}

/** Starts what writes the demo data (seed-process.ts). @returns has it write, and waits for that */
async function startSeeding(
  lifetime: Lifetime,
  say: (line: string) => void,
): Promise<(appEnv: AppEnv) => Promise<void>> {
  const args = tsxArgs('scripts/services/seed-process.ts');
  // React, which writes the mails, is several times slower while developing.
  const env = { NODE_ENV: 'production' };
  const seeding = startChild({ name: 'seed', args, env, onLine: (line) => say(line) });
  await lifetime.own(Promise.resolve(seeding), (child) => child.stop());
  return async (appEnv) => {
    seeding.send(appEnv);
    await seeding.exited;
    if (seeding.exitCode() !== 0) throw new Error(`The demo data could not be written:\n${seeding.tail()}`);
  };
}
