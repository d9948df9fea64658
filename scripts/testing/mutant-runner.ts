import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestSpecification, Vitest } from 'vitest/node';
import type { Lifetime } from '@/scripts/process/lifetime';
import { projectRoot } from '@/scripts/process/root';
import type { Mutant } from './mutants';

/** A mutant that makes a loop endless counts as killed. */
const timeoutMs = 600_000;

/** Stops Vitest. It also waits for workers in an endless loop, which it ends. */
const stop = (vitest: Vitest): Promise<void> => Promise.race([vitest.close(), sleep(20_000)]);

/** Runs tests in one Vitest instance, which keeps its server and the template database between mutants. */
export class MutantRunner {
  #vitest: Promise<Vitest> | undefined;
  #active: Mutant | undefined;
  readonly #lifetime: Lifetime;

  constructor(lifetime: Lifetime) {
    this.#lifetime = lifetime;
  }

  /** Returns the first test that fails with the mutant in place of its file, if one does. */
  async run(mutant: Mutant | undefined, tests: string[]): Promise<string | undefined> {
    this.#vitest ??= this.#lifetime.own(this.#start(), stop);
    const vitest = await this.#vitest;
    for (const changed of [this.#active, mutant]) if (changed) vitest.invalidateFile(join(projectRoot, changed.file));
    this.#active = mutant;
    // The result would contain files that failed with an earlier mutant.
    vitest.state.filesMap.clear();
    const specifications = await Promise.all(
      tests.map((test) => vitest.globTestSpecifications([join(projectRoot, test)])),
    );
    const result = await Promise.race([
      vitest.runTestSpecifications(specifications.flat()),
      ...(mutant ? [sleep(timeoutMs, undefined, { ref: false })] : []),
    ]);
    if (!result) {
      this.#vitest = undefined;
      await stop(vitest);
      return 'the time limit';
    }
    const failed = result.testModules.find((module) => module.state() === 'failed');
    if (failed)
      return `${failed.relativeModuleId}: ${[...failed.children.allTests('failed')][0]?.fullName ?? 'import'}`;
    return result.unhandledErrors.length > 0 ? String(result.unhandledErrors[0]) : undefined;
  }

  async #start(): Promise<Vitest> {
    // As the command line of Vitest sets them.
    Object.assign(process.env, { NODE_ENV: 'test', TEST: 'true', VITEST: 'true' });
    const [{ createVitest }, { default: config }] = await Promise.all([
      import('vitest/node'),
      import('@/vitest.config'),
    ]);
    const plugin = {
      name: 'mutant',
      enforce: 'pre' as const,
      load: (id: string) =>
        this.#active && id === join(projectRoot, this.#active.file) ? this.#active.source : undefined,
    };
    const projects = (config.test?.projects ?? []).flatMap((project) =>
      typeof project === 'object' && 'test' in project && /^(unit|domain)(-isolated)?$/.test(String(project.test?.name))
        ? // A worker that is kept between files would keep a mutant.
          [{ ...project, plugins: [plugin], test: { ...project.test, isolate: true } }]
        : [],
    );
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
    const options = {
      ...config.test,
      projects,
      config: false as const,
      root: projectRoot,
      watch: false,
      bail: 1,
      reporters: [{}],
      sequence: { sequencer: InOrder },
    };
    return createVitest('test', options, {}, { stdout: nowhere, stderr: nowhere });
  }
}

/** Keeps the nearest tests first. */
class InOrder {
  async sort(files: TestSpecification[]) {
    return files;
  }
  async shard(files: TestSpecification[]) {
    return files;
  }
}
