import { startPostgres } from '@/scripts/postgres/start';

/** The child process of the launcher's test: holds the server until it is killed. */
async function hold(): Promise<void> {
  const server = await startPostgres(process.argv[2] ?? '', { durable: false });
  process.send?.(server.appUrl);
}

void hold();
