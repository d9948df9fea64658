import { appendFileSync } from 'node:fs';
import { startChild, tsxArgs } from '@/scripts/process/child';
import { type Lifetime, runCommand } from '@/scripts/process/lifetime';
import { type Recorded, readRecorded } from './bench/bars';
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
  // Also of a run that is ended before its last part.
  lifetime.onExit(() => showBars(names, measured, before));
  for (const name of names) if (await runPart(lifetime, name)) measured.push(name);
  await lifetime.end(measured.length < names.length ? 1 : 0);
});

function showBars(names: readonly string[], measured: readonly string[], before: Recorded): void {
  const missing = names.filter((name) => !measured.includes(name));
  const lines = [
    compareBars(measured, before, readRecorded()),
    ...(missing.length > 0 ? [`Failed or ended, so not measured: ${missing.join(', ')}.`] : []),
  ];
  const summary = `\n${lines.join('\n\n')}\n`;
  process.stdout.write(summary);
  if (process.env.GITHUB_STEP_SUMMARY) appendFileSync(process.env.GITHUB_STEP_SUMMARY, summary);
}

/**
 * Runs a part in a separate process: each part has another database, and a process connects to one.
 * @returns whether it has measured
 */
async function runPart(lifetime: Lifetime, name: string): Promise<boolean> {
  process.stdout.write(`\n${name}\n`);
  const onLine = (line: string) => process.stdout.write(`${line}\n`);
  const args = [...tsxArgs('checks/bench/run-part.ts'), name];
  // React, which renders mails, reads NODE_ENV on import.
  const part = startChild({ name, args, env: { NODE_ENV: 'production' }, onLine });
  await lifetime.own(Promise.resolve(part), (child) => child.stop());
  await part.exited;
  return part.exitCode() === 0;
}
