import { startChild, tsxArgs } from '@/scripts/process/child';
import { type Lifetime, runCommand } from '@/scripts/process/lifetime';
import { catalogue } from './bench/catalogue';
import { cores } from './bench/cores';
import { figures } from './bench/figures';
import { growth } from './bench/growth';
import { imports } from './bench/import';
import { judging } from './bench/judging';
import { ledger } from './bench/ledger';
import { lighthouse } from './bench/lighthouse';
import { linkImport } from './bench/link-import';
import { linked } from './bench/linked';
import { links } from './bench/links';
import { pageCpu } from './bench/page-cpu';
import { pages } from './bench/pages';
import { scale } from './bench/scale';
import { soak } from './bench/soak';
import { start } from './bench/start';
import { webhooks } from './bench/webhooks';

/** Each part starts its servers, measures, and writes its section of a page of docs. */
const parts: Record<string, (lifetime: Lifetime) => Promise<void>> = {
  ledger,
  catalogue,
  cores,
  figures,
  growth,
  pages,
  'page-cpu': pageCpu,
  lighthouse,
  import: imports,
  'link-import': linkImport,
  start,
  scale,
  soak,
  linked,
  links,
  judging,
  webhooks,
};

/**
 * `npm run bench`, or `npm run bench catalogue` for one part: measures speed as ratios to baselines of the same run, on
 * its own database. It asserts nothing, because a busy machine is not a defect.
 */
runCommand(async (lifetime) => {
  const requested = process.argv.slice(2);
  const names = requested.length > 0 ? requested : Object.keys(parts);
  const [only] = names;
  const run = only !== undefined && names.length === 1 ? parts[only] : undefined;
  if (run) await run(lifetime);
  else for (const name of names) await runAlone(lifetime, name);
  await lifetime.end(0);
});

/** Runs a part in a separate process: each part has another database, and a process connects to one. */
async function runAlone(lifetime: Lifetime, name: string): Promise<void> {
  if (!(name in parts)) throw new Error(`Unknown part ${name}. Use ${Object.keys(parts).join(', ')}.`);
  process.stdout.write(`\n${name}\n`);
  const onLine = (line: string) => process.stdout.write(`${line}\n`);
  const part = startChild({ name, args: [...tsxArgs('checks/bench.ts'), name], env: {}, onLine });
  await lifetime.own(Promise.resolve(part), (child) => child.stop());
  await part.exited;
  if (part.exitCode() !== 0) throw new Error(`The part ${name} failed; see the lines above.`);
}
