import { resolve } from 'node:path';
import { type Child, startChild, tsxArgs } from '@/scripts/process/child';
import type { Lifetime } from '@/scripts/process/lifetime';
import { openDatabase } from './database';
import { startGateway } from './gateway';
import { gatewayEnv, type PaymentEnv, paymentEnv } from './payment-env';
import { loadDemoSecrets } from './secrets';

export type ServicesOptions = {
  appEnv: 'demo' | 'test';
  port: number;
  dataDir: string;
  /** false for tests: a faster database without protection against power loss. */
  durable?: boolean;
  /**
   * false: an installation with data of its own, for a benchmark. Only the sandbox's payment providers are configured, and
   * the gateway keeps its state in memory.
   */
  hasDemoData?: boolean;
  say: (line: string) => void;
};

export type Services = {
  /** The app's environment. */
  env: AppEnv;
  gateway: Child;
  gatewayPort: number;
  /** Resolves when the demo data is written; the app can start in the meantime. */
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
  | 'SMTP_URL'
  | 'OPENAI_BASE_URL'
  | 'ECB_BASE_URL'
  | 'AHREFS_BASE_URL'
  | 'VIES_BASE_URL'
  | 'TELEGRAM_BASE_URL'
  | 'PUBLISHER_BASE_URL',
  string
> &
  PaymentEnv;

/**
 * Starts the app's services for demo, development and tests: the database with its newest schema, the sandbox gateway
 * and the demo data.
 * @throws Error when a service does not start
 */
export async function startServices(lifetime: Lifetime, options: ServicesOptions): Promise<Services> {
  const { appEnv, port, say } = options;
  const dataDir = resolve(options.dataDir);
  const state = options.hasDemoData === false && { GATEWAY_STATE: 'memory' };
  // In this order, because they stop in reverse order: writers stop before the database.
  const [database, write, { base, secrets, gateway, gatewayPort, keys }] = await Promise.all([
    openMigrated(lifetime, dataDir, options.durable ?? true),
    options.hasDemoData === false ? seedPayments : startSeeding(lifetime, say),
    loadDemoSecrets(dataDir).then(async (secrets) => {
      const base = {
        APP_ENV: appEnv,
        APP_URL: process.env.APP_URL || `http://localhost:${port}`,
        PORT: String(port),
        DATA_DIR: dataDir,
        // Tests send more requests than users.
        ...(appEnv === 'test' && { CHANGES_PER_MINUTE: '1000000' }),
        NEXTAUTH_SECRET: process.env.NEXTAUTH_SECRET || secrets.NEXTAUTH_SECRET,
        SECRET_KEYS: process.env.SECRET_KEYS || secrets.SECRET_KEYS,
      };
      return { base, secrets, ...(await startGateway(lifetime, { ...base, ...gatewayEnv(secrets), ...state }, say)) };
    }),
  ]);
  const env: AppEnv = {
    ...base,
    ...database,
    RESEND_API_KEY: 're_sandbox',
    RESEND_BASE_URL: `http://127.0.0.1:${gatewayPort}`,
    // Unset for the app, because all mails go to the gateway's inbox.
    SMTP_URL: '',
    OPENAI_BASE_URL: `http://127.0.0.1:${gatewayPort}/v1`,
    ECB_BASE_URL: `http://127.0.0.1:${gatewayPort}`,
    AHREFS_BASE_URL: `http://127.0.0.1:${gatewayPort}`,
    VIES_BASE_URL: `http://127.0.0.1:${gatewayPort}`,
    TELEGRAM_BASE_URL: `http://127.0.0.1:${gatewayPort}/telegram`,
    PUBLISHER_BASE_URL: `http://127.0.0.1:${gatewayPort + 4}`,
    ...paymentEnv(secrets, gatewayPort, keys),
  };
  return { env, gateway, gatewayPort, seeded: write(env) };
}

async function seedPayments(appEnv: AppEnv): Promise<void> {
  const { seedSandboxPayments } = await import('@/scripts/seed/sandbox-payments');
  await seedSandboxPayments(appEnv);
}

async function openMigrated(lifetime: Lifetime, dataDir: string, durable: boolean) {
  const [urls, { migrateDatabase }] = await Promise.all([
    openDatabase(lifetime, dataDir, durable),
    // Loaded while PostgreSQL starts.
    import('@/db/migrate'),
  ]);
  await migrateDatabase(urls.MIGRATION_DATABASE_URL);
  return urls;
}

/**
 * Starts the process that writes the demo data (seed-process.ts).
 * @returns a function that triggers the write and waits for it
 */
async function startSeeding(
  lifetime: Lifetime,
  say: (line: string) => void,
): Promise<(appEnv: AppEnv) => Promise<void>> {
  const args = tsxArgs('scripts/services/seed-process.ts');
  // React, which renders the mails, is several times slower in development mode.
  const env = { NODE_ENV: 'production' };
  const seeding = startChild({ name: 'seed', args, env, onLine: (line) => say(line) });
  await lifetime.own(Promise.resolve(seeding), (child) => child.stop());
  return async (appEnv) => {
    seeding.send(appEnv);
    await seeding.exited;
    if (seeding.exitCode() !== 0) throw new Error(`The demo data could not be written:\n${seeding.tail()}`);
  };
}
