import { appendFileSync } from 'node:fs';
import { runCommand } from '@/scripts/process/lifetime';

/** The child process of the test of a killed npm: reports its start and the stop of its own child. */
const log = process.argv[2] ?? '';
runCommand(async (lifetime) => {
  appendFileSync(log, 'began\n');
  setInterval(() => undefined, 60_000);
  await lifetime.own(Promise.resolve(log), (file) => appendFileSync(file, 'stopped\n'));
});
