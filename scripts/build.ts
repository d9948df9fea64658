import { ensureBuild } from './build/ensure-build';
import { runCommand } from './process/lifetime';

/** `npm run build`: runs `next build` and records it, so that the demo and the tests do not repeat it. */
runCommand(async (lifetime) => {
  await ensureBuild(lifetime, (line) => process.stdout.write(`${line}\n`), true);
  await lifetime.end(0);
});
