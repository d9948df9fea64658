import { appendFileSync } from 'node:fs';
import { runCommand } from '../../../scripts/process/lifetime';

/** Run by the test of a killed npm: says that it began, and when it has stopped what it started. */
const log = process.argv[2] ?? '';
runCommand(async (lifetime) => {
  appendFileSync(log, 'began\n');
  setInterval(() => undefined, 60_000);
  await lifetime.own(Promise.resolve(log), (file) => appendFileSync(file, 'stopped\n'));
});
