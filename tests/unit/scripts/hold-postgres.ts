import { startPostgres } from '../../../scripts/postgres/start';

/** Run by the launcher's test as a process that can be killed: holds the server until then. */
async function hold(): Promise<void> {
  const server = await startPostgres(process.argv[2] ?? '', { durable: false });
  process.send?.(server.appUrl);
}

void hold();
