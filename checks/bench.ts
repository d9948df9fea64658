import { appendFileSync } from 'node:fs';
import { startChild, tsxArgs } from '@/scripts/process/child';
import { type Lifetime, runCommand } from '@/scripts/process/lifetime';
import { readRecorded } from './bench/bars';
import { findPart, parts } from './bench/parts';
import { compareBars } from './bench/report';

/**
 * `npm run bench`, or `npm run bench catalogue` for one part: measures speed as ratios to baselines of the same run, on
 * databases of its own, records the bars in checks/bench/recorded.json, and ends with a table of them beside those of the
 * run before. A missed bar does not fail, because a busy machine is not a defect. A part that crashes does.
 */
runCommand(async (lifetime) => {
  const requested = process.argv.slice(2);
  for (const name of requested) findPart(name);
  const names = requested.length > 0 ? requested : Object.keys(parts);
  const before = readRecorded();
  const measured: string[] = [];
  for (const name of names) if (await runPart(lifetime, name)) measured.push(name);
  const failed = names.filter((name) => !measured.includes(name));
  const lines = [
    compareBars(measured, before, readRecorded()),
    ...(failed.length > 0 ? [`Failed, so not measured: ${failed.join(', ')}.`] : []),
  ];
  const summary = `\n${lines.join('\n\n')}\n`;
  process.stdout.write(summary);
  if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, summary);
  await lifetime.end(failed.length > 0 ? 1 : 0);
});

/**
 * Runs a part in a separate process: each part has another database, and a process connects to one.
 * @returns whether it has measured
 */
async function runPart(lifetime: Lifetime, name: string): Promise<boolean> {
  process.stdout.write(`\n${name}\n`);
  const onLine = (line: string) => process.stdout.write(`${line}\n`);
  const part = startChild({ name, args: [...tsxArgs('checks/bench/run-part.ts'), name], env: {}, onLine });
  await lifetime.own(Promise.resolve(part), (child) => child.stop());
  await part.exited;
  return part.exitCode() === 0;
}
