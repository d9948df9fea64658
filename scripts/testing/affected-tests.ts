import { posix } from 'node:path';

/** What to run of each suite that has test files: all of it, or these files. An empty list is nothing. */
export type Selection = Record<TestSuite, 'all' | string[]>;
type TestSuite = 'unit' | 'domain' | 'api' | 'faults' | 'e2e';

/** Contents of the project's files by path from its folder, e.g. `lib/money.ts`. */
export type Sources = ReadonlyMap<string, string>;

/** Text that no suite runs; only the unit tests that read the repository check it. */
const prose = /^(docs|deploy|\.github|\.ci)\/|\.md$|^LICENSE$|^\.env\.example$/;
const code = /^(app|components|lib|db|sandbox|scripts|tests)\/.*\.(ts|tsx|mjs)$/;
/** What the running app of the API, fault and browser tests consists of beside the app's own code. */
const surroundings = /^(sandbox|scripts|db\/seed)\/|^app\/layout\.tsx$/;

/** Files that every test of a suite runs with. */
const setups: Record<TestSuite, string[]> = {
  unit: ['tests/setup/environment.ts'],
  domain: ['tests/setup/environment.ts', 'tests/setup/template-database.ts', 'tests/setup/own-database.ts'],
  api: ['tests/setup/running-app.ts', 'tests/setup/documented-answers.ts', 'tests/setup/openapi-document.ts'],
  faults: ['tests/setup/environment.ts', 'tests/setup/documented-answers.ts', 'tests/setup/openapi-document.ts'],
  e2e: [],
};

/** Tests that import one of these go through every address or every page. */
const addressLists = ['tests/api/contract.ts', 'tests/api/pages.ts'];

/**
 * The tests that a change can affect:
 * - A test is affected when a file that it imports, directly or not, has changed.
 * - A unit test that reads files or starts processes is affected by every change.
 * - An API or browser test is also affected when it, or a test helper that it imports, names the address of an affected
 *   route or page, and when it goes through a list of all addresses.
 * - The fault tests are affected when a route of the API is.
 * - What is neither code nor prose (packages, configuration, migrations, styles) affects every test.
 *
 * @param changed paths from the project's folder
 */
export function affectedTests(changed: readonly string[], sources: Sources): Selection {
  const relevant = changed.filter((file) => !prose.test(file));
  const isAnythingElse = relevant.some((file) => !code.test(file));
  const areSurroundings = relevant.some((file) => surroundings.test(file));

  const imports = importsOf(sources);
  const affected = reachedFrom(relevant, invert(imports));
  const addresses = [...affected].flatMap((file) => addressOf(file) ?? []);
  const isApiAffected = addresses.some((address) => address.startsWith('/api/'));
  const tests = [...sources.keys()].filter((file) => /^tests\/.*\.(test|spec)\.tsx?$/.test(file));

  const readsRepository = (file: string) => /'node:(fs|child_process)/.test(sources.get(file) ?? '');
  const asksAffected = (file: string) => {
    if (addresses.length === 0) return false;
    const own = [...reachedFrom([file], imports)].filter((name) => name.startsWith('tests/'));
    return own.some((name) => addressLists.includes(name) || namesOne(sources.get(name) ?? '', addresses));
  };
  const select = (suite: TestSuite, isAffectedOtherwise: (file: string) => boolean): 'all' | string[] => {
    const setup = [...reachedFrom(setups[suite], imports)].filter((file) => /^(tests|scripts)\//.test(file));
    if (isAnythingElse || relevant.some((file) => setup.includes(file))) return 'all';
    const isOfSuite = (file: string) =>
      file.startsWith(`tests/${suite}/`) || (suite === 'unit' && !/\/.*\//.test(file));
    return tests.filter((file) => isOfSuite(file) && (affected.has(file) || isAffectedOtherwise(file)));
  };
  return {
    unit: select('unit', (file) => changed.length > 0 && readsRepository(file)),
    domain: select('domain', () => false),
    api: areSurroundings ? 'all' : select('api', asksAffected),
    faults: areSurroundings ? 'all' : select('faults', () => isApiAffected),
    e2e: areSurroundings ? 'all' : select('e2e', asksAffected),
  };
}

/** The files of the project that each file imports. */
function importsOf(sources: Sources): Map<string, string[]> {
  const specifiers = /(?:from|import)\s*\(?\s*'((?:@\/|\.)[^']+)'/g;
  return new Map(
    [...sources].map(([file, source]) => {
      const paths = [...source.matchAll(specifiers)].map(([, name = '']) =>
        name.startsWith('@/') ? name.slice(2) : posix.join(posix.dirname(file), name),
      );
      const found = paths.flatMap((path) =>
        [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].filter((candidate) => sources.has(candidate)),
      );
      return [file, found] as const;
    }),
  );
}

function invert(imports: ReadonlyMap<string, string[]>): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const [file, names] of imports) {
    for (const name of names) importers.set(name, [...(importers.get(name) ?? []), file]);
  }
  return importers;
}

/** The files and all that they lead to. */
function reachedFrom(files: readonly string[], edges: ReadonlyMap<string, string[]>): Set<string> {
  const reached = new Set(files);
  // A set that grows while it is gone through is gone through to its new end.
  for (const file of reached) for (const next of edges.get(file) ?? []) reached.add(next);
  return reached;
}

/**
 * The address of a route, a page or a layout, up to its first parameter: `/api/orders` for
 * `app/api/orders/[id]/content/route.ts`. Undefined for other files.
 */
function addressOf(file: string): string | undefined {
  const [, folder] = /^app\/(.*?)\/?(?:route|page|layout|error|not-found|loading|template)\.tsx?$/.exec(file) ?? [];
  if (folder === undefined) return undefined;
  const address = folder.replace(/(^|\/)\([^)]+\)/g, '').replace(/\/?\[.*$/, '');
  return address.startsWith('/') ? address : `/${address}`;
}

/** Whether a source names one of the addresses, or one below it. */
function namesOne(source: string, addresses: readonly string[]): boolean {
  return addresses.some((address) => {
    const escaped = address.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`${escaped}(?![\\w-])`).test(source);
  });
}
