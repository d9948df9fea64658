import { ensureBuild } from './build/ensure-build';
import { runCommand } from './process/lifetime';

/** `npm run build`: `next build`, remembered so that the demo and the tests need not repeat it. */
runCommand(async (lifetime) => {
  await ensureBuild(lifetime, (line) => process.stdout.write(`${line}\n`), true);
  await lifetime.end(0);
});
