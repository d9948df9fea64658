import { appendFileSync } from 'node:fs';
import { explainedSurvivors } from '@/tests/explained-survivors';
import { runCommand } from './process/lifetime';
import { listNearestTests } from './testing/affected-tests';
import { readSources } from './testing/changed-files';
import { MutantRunner } from './testing/mutant-runner';
import { drawSample, listMutants, type Mutant } from './testing/mutants';
import { testSeed } from './testing/tier';

/** Every mutant of these files must be killed or explained. */
const complete = /^lib\/(money\.ts|access\/)/;
/** A sample of the mutants of these is tried, for the score. */
const sampled = /^lib\/(ledger\/|orders\/(pricing\.ts|placements\/)|payouts\/|links\/judge-page\.ts|sites\/import\/)/;
const sampleSize = 300;

/** The tests that a mutant is tried with: those of each kind that are nearest to its file. */
const testsOfKind = 8;

const print = (line: string) => void process.stdout.write(`${line}\n`);
const format = ({ file, line, change }: Mutant) => `${file}:${line} ${change}`;

/**
 * `npm run test:mutation`: makes one small change to the code at a time, runs the tests that are nearest to it, and prints
 * the changes that no test noticed, and the share of those that one did. Fails for a survivor of lib/money.ts or
 * lib/access that tests/explained-survivors.ts does not explain. TEST_SEED selects the sample of the other folders.
 * `npm run test:mutation -- lib/payouts/request.ts` tries all mutants of the files whose path starts so.
 */
runCommand(async (lifetime) => {
  const prefixes = process.argv.slice(2);
  const sources = readSources();
  const collect = (isWanted: (file: string) => boolean) =>
    [...sources].filter(([file]) => isWanted(file)).flatMap(([file, source]) => withoutExplained(file, source));
  const nightly = () => [
    ...collect((file) => complete.test(file)),
    ...drawSample(
      collect((file) => sampled.test(file)),
      sampleSize,
      testSeed,
    ),
  ];
  const mutants =
    prefixes.length === 0
      ? nightly()
      : collect((file) => /^lib\//.test(file) && prefixes.some((one) => file.startsWith(one)));
  if (mutants.length === 0) throw new Error('No file of lib with a mutant starts with this path.');

  const files = [...new Set(mutants.map(({ file }) => file))];
  const nearest = new Map(files.map((file) => [file, pickTests(listNearestTests(file, sources))]));
  const runner = new MutantRunner(lifetime);
  print(`${mutants.length} mutants of ${files.length} files, seed ${testSeed}`);
  const broken = await runner.run(undefined, [...new Set([...nearest.values()].flat())]);
  if (broken) throw new Error(`A test fails without a mutant: ${broken}`);

  const survivors: Mutant[] = [];
  const scores = new Map<string, { killed: number; total: number }>();
  for (const mutant of mutants) {
    const killer = await runner.run(mutant, nearest.get(mutant.file) ?? []);
    const folder = mutant.file.split('/').slice(0, 2).join('/');
    const { killed, total } = scores.get(folder) ?? { killed: 0, total: 0 };
    scores.set(folder, { killed: killed + (killer ? 1 : 0), total: total + 1 });
    print(killer ? `killed   ${format(mutant)} by ${killer}` : `SURVIVED ${format(mutant)}`);
    if (!killer) survivors.push(mutant);
  }
  const lines = [
    ...survivors.map((mutant) => `survived: ${format(mutant)}`),
    ...[...scores].map(
      ([folder, { killed, total }]) =>
        `${folder}: ${killed} of ${total} killed (${Math.round((100 * killed) / total)} %)`,
    ),
  ];
  print(`\n${lines.join('\n')}`);
  if (process.env.GITHUB_STEP_SUMMARY)
    appendFileSync(process.env.GITHUB_STEP_SUMMARY, lines.map((line) => `    ${line}\n`).join(''));
  await lifetime.end(survivors.some(({ file }) => complete.test(file)) ? 1 : 0);
});

/** @throws Error when an explanation describes a mutant that does not exist */
function withoutExplained(file: string, source: string): Mutant[] {
  const mutants = listMutants(file, source);
  const explained = explainedSurvivors.filter((one) => one.file === file).map(({ change }) => change);
  const unknown = explained.find((change) => !mutants.some((mutant) => mutant.change === change));
  if (unknown)
    throw new Error(`tests/explained-survivors.ts explains a mutant that does not exist: ${file} ${unknown}`);
  return mutants.filter(({ change }) => !explained.includes(change));
}

function pickTests(tests: string[]): string[] {
  return ['tests/unit/', 'tests/domain/'].flatMap((folder) =>
    tests.filter((test) => test.startsWith(folder)).slice(0, testsOfKind),
  );
}
