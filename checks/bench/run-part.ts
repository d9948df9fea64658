import { runCommand } from '@/scripts/process/lifetime';
import { findPart } from './parts';

/** Runs one part for checks/bench.ts. */
runCommand(async (lifetime) => {
  await findPart(process.argv[2] ?? '')(lifetime);
  await lifetime.end(0);
});
