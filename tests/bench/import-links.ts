import { createReadStream } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { closeDb } from '@/db/client';
import { importLinkedDomains } from '@/lib/projects/linked-domains/import-linked';
import { makeProject } from '@/tests/factories/make-project';
import { makeUser } from '@/tests/factories/make-user';
import { linkFileRows } from './link-files';

/** Imports a file into a new project and prints what that took, for `npm run bench link-import`. */
async function measureImport(path: string): Promise<void> {
  const buyer = await makeUser();
  const projectId = await makeProject(buyer, { domain: 'brand.com' });
  const idleBytes = process.memoryUsage().rss;
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const started = performance.now();
  const file = createReadStream(path);
  const { rows } = await importLinkedDomains(buyer, projectId, { file, name: 'export.csv', isDryRun: false });
  const seconds = (performance.now() - started) / 1000;
  delay.disable();
  if (rows !== linkFileRows) throw new Error(`${rows} rows were read.`);
  const maxBytes = process.resourceUsage().maxRSS * 1024;
  const measured = { seconds, maxBytes, grownBytes: maxBytes - idleBytes, blockedMs: delay.max / 1e6 };
  process.stdout.write(`measured ${JSON.stringify(measured)}\n`);
  await closeDb();
}

void measureImport(process.argv[2] ?? '');
