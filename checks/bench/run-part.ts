import { runCommand } from '@/scripts/process/lifetime';
import { parts } from './parts';

/** Runs one part for checks/bench.ts. */
runCommand(async (lifetime) => {
  const name = process.argv[2] ?? '';
  const run = parts[name];
  if (!run) throw new Error(`Unknown part ${name}. Use ${Object.keys(parts).join(', ')}.`);
  await run(lifetime);
  await lifetime.end(0);
});
