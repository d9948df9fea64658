import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { closeDb } from '@/db/client';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { AppError } from '@/lib/errors';
import type { ReleaseDay } from '@/lib/sites/domain-figures/find-release-day';
import {
  importOpenData,
  type OpenDataProgress,
  type OpenDataReport,
} from '@/lib/sites/domain-figures/import-open-data';
import { openDataKinds } from '@/lib/sites/domain-figures/open-data-formats';
import { runCommand } from './process/lifetime';
import { showProgress } from './process/progress';
import { useEnvironment } from './services/use-environment';

const usage = `Usage: npm run figures:import -- ${openDataKinds.join('|')} FILE [--as-of YYYY-MM-DD]`;
const progressMs = 5_000;

/**
 * `npm run figures:import -- crux|common-crawl|majestic FILE [--as-of DAY]`: stores the figures that a list of open data has
 * of the catalog's domains (docs/figures.md). Exits with 1 if nothing could be stored, also when it is interrupted.
 */
runCommand(async (lifetime) => {
  const { name, path, asOf } = readArguments();
  const kind = openDataKinds.find((known) => known === name);
  if (!kind || !path) throw new Error(usage);
  await useEnvironment(lifetime);
  await lifetime.own(Promise.resolve('pool'), () => closeDb());
  const controller = new AbortController();
  const { say, step, end } = showProgress();
  const work = importOpenData(systemActor(systemActors.figuresImport, 'script'), {
    kind,
    path,
    asOf,
    signal: controller.signal,
    onDay: (day) => say(describeDay(day)),
    onProgress: sayProgress(say),
  });
  let isOver = false;
  await lifetime.own(Promise.resolve(controller), async () => {
    if (isOver) return;
    controller.abort();
    await work.catch(() => {
      throw new Error('The import was interrupted. Nothing was stored.');
    });
  });
  try {
    const report = await step('importing', work);
    end();
    process.stdout.write(print(report));
  } catch (thrown) {
    throw thrown instanceof AppError ? new Error(thrown.message) : thrown;
  } finally {
    isOver = !lifetime.isEnding();
  }
  await lifetime.end(0);
});

/** Reads the arguments. A relative path starts where npm was called. */
function readArguments() {
  const { values, positionals } = parseOptions();
  const [name, file, ...more] = positionals;
  if (more.length > 0) throw new Error(usage);
  return { name, path: file && resolve(process.env.INIT_CWD || '.', file), asOf: values['as-of'] };
}

function parseOptions() {
  try {
    return parseArgs({ allowPositionals: true, options: { 'as-of': { type: 'string' } } });
  } catch (thrown) {
    throw new Error(usage, { cause: thrown });
  }
}

function describeDay({ day, from }: ReleaseDay): string {
  const origin = {
    option: 'as given with --as-of',
    name: "from the file's name",
    file: 'the day the file was changed: give another with --as-of',
  };
  return `As of ${day} (${origin[from]})`;
}

/** Returns a function that prints the progress every few seconds. */
function sayProgress(say: (line: string) => void) {
  let saidAt = Date.now();
  return ({ lines, readBytes, bytes }: OpenDataProgress) => {
    if (Date.now() - saidAt < progressMs) return;
    saidAt = Date.now();
    say(`  ${lines.toLocaleString('en-US')} lines, ${Math.floor((100 * readBytes) / bytes)}% of the file`);
  };
}

function print({ lines, domains, matched, stored, unchanged, broken, brokenLines }: OpenDataReport): string {
  const count = (value: number) => value.toLocaleString('en-US');
  const rows: [string, number][] = [
    ['Lines', lines],
    ['Domains of the catalog', domains],
    ['Domains matched', matched],
    ['Figures stored', stored],
    ['Figures unchanged', unchanged],
    ['Broken lines', broken],
  ];
  return [
    ...rows.map(([label, value]) => `${label.padEnd(24)}${count(value).padStart(14)}`),
    ...brokenLines.map(({ line, reason }) => `  line ${count(line)}: ${reason}`),
    ...(broken > brokenLines.length ? [`  and ${count(broken - brokenLines.length)} more`] : []),
    '',
  ].join('\n');
}
