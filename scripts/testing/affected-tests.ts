import { posix } from 'node:path';

/** The tests to run of each suite: all, or a list of files, which may be empty. */
export type Selection = Record<TestSuite, 'all' | string[]>;
type TestSuite = 'unit' | 'domain' | 'api' | 'faults' | 'e2e';

/** Contents of the project's files by relative path, e.g. `lib/money.ts`. */
export type Sources = ReadonlyMap<string, string>;

/** Text files; only the unit tests that read the repository check them. */
const prose = /^(docs|deploy|\.github|\.ci)\/|\.md$|^LICENSE$|^\.env\.example$/;
const code = /^(app|components|lib|db|sandbox|scripts|tests)\/.*\.(ts|tsx|mjs)$|^tests\/api\/.*\.json$/;
/** Parts of the running app of the API, fault and browser tests besides the app's own code. */
const surroundings = /^(sandbox|scripts)\/|^app\/layout\.tsx$/;

/** Setup files of every test of a suite. */
const setups: Record<TestSuite, string[]> = {
  unit: ['tests/setup/environment.ts', 'tests/setup/property-seed.ts'],
  domain: [
    ...['tests/setup/environment.ts', 'tests/setup/property-seed.ts'],
    ...['tests/setup/template-database.ts', 'tests/setup/own-database.ts'],
  ],
  api: [
    ...['tests/setup/running-app.ts', 'tests/setup/property-seed.ts'],
    ...['tests/setup/documented-responses.ts', 'tests/setup/openapi-document.ts'],
  ],
  faults: ['tests/setup/environment.ts', 'tests/setup/documented-responses.ts', 'tests/setup/openapi-document.ts'],
  e2e: [],
};

/** Tests that import this file iterate over every route or every page. */
const addressList = 'tests/api/routes.ts';

/**
 * Returns the tests that a change can affect:
 * - A test is affected when a file that it imports, directly or not, has changed.
 * - A unit test that reads files or starts processes is affected by every change.
 * - An API or browser test is also affected when it, or a test helper that it imports, contains the path of an affected
 *   route or page, and when it iterates over all routes.
 * - The fault tests are affected when a route of the API is.
 * - Other files (packages, configuration, migrations, styles) affect every test.
 *
 * @param changed paths relative to the project's folder
 * @param isFull includes the files of the full tier
 */
export function selectAffectedTests(changed: readonly string[], sources: Sources, isFull = false): Selection {
  const relevant = changed.filter((file) => !prose.test(file));
  const isAnythingElse = relevant.some((file) => !code.test(file));
  const areSurroundings = relevant.some((file) => surroundings.test(file));

  const imports = parseImports(sources);
  const affected = collectReachable(relevant, invert(imports));
  const addresses = [...affected].flatMap((file) => getRoutePath(file) ?? []);
  const isApiAffected = addresses.some((address) => address.startsWith('/api/'));
  const tests = [...sources.keys()].filter(
    (file) => /^tests\/.*\.(test|spec)\.tsx?$/.test(file) && (isFull || !/\.full\.(test|spec)\./.test(file)),
  );

  const readsRepository = (file: string) => /'node:(fs|child_process)/.test(sources.get(file) ?? '');
  const asksAffected = (file: string) => {
    if (addresses.length === 0) return false;
    const own = [...collectReachable([file], imports)].filter((name) => name.startsWith('tests/'));
    return own.some((name) => name === addressList || mentionsAny(sources.get(name) ?? '', addresses));
  };
  const select = (suite: TestSuite, isAffectedOtherwise: (file: string) => boolean): 'all' | string[] => {
    const setup = [...collectReachable(setups[suite], imports)].filter((file) => /^(tests|scripts)\//.test(file));
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

/**
 * Returns the unit and domain tests that import a file, directly or not, nearest first: those with the fewest files in
 * between, and of these the ones with the most imports that lead to it.
 */
export function listNearestTests(file: string, sources: Sources): string[] {
  const imports = parseImports(sources);
  const importers = invert(imports);
  const distances = new Map([[file, 0]]);
  // Iterating over a map includes entries added during the iteration.
  for (const [path, distance] of distances)
    for (const next of importers.get(path) ?? []) if (!distances.has(next)) distances.set(next, distance + 1);
  const distanceOf = (path: string) => distances.get(path) ?? Number.POSITIVE_INFINITY;
  const countWays = (test: string) =>
    (imports.get(test) ?? []).filter((path) => distanceOf(path) === distanceOf(test) - 1).length;
  return [...distances.keys()]
    .filter((path) => /^tests\/(unit|domain)\/.*\.test\.tsx?$/.test(path))
    .sort((one, other) => distanceOf(one) - distanceOf(other) || countWays(other) - countWays(one));
}

/** Returns the project files that each file imports. */
function parseImports(sources: Sources): Map<string, string[]> {
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

/** Returns the files and everything reachable from them. */
function collectReachable(files: readonly string[], edges: ReadonlyMap<string, string[]>): Set<string> {
  const reached = new Set(files);
  // Iterating over a set includes elements added during the iteration.
  for (const file of reached) for (const next of edges.get(file) ?? []) reached.add(next);
  return reached;
}

/**
 * Returns the path of a route, a page or a layout up to its first parameter: `/api/orders` for
 * `app/api/orders/[id]/content/route.ts`. Undefined for other files.
 */
function getRoutePath(file: string): string | undefined {
  const [, folder] = /^app\/(.*?)\/?(?:route|page|layout|error|not-found|loading|template)\.tsx?$/.exec(file) ?? [];
  if (folder === undefined) return undefined;
  const address = folder.replace(/(^|\/)\([^)]+\)/g, '').replace(/\/?\[.*$/, '');
  return address.startsWith('/') ? address : `/${address}`;
}

/** Checks whether a source contains one of the paths, or one below it. */
function mentionsAny(source: string, addresses: readonly string[]): boolean {
  return addresses.some((address) => {
    const escaped = address.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`${escaped}(?![\\w-])`).test(source);
  });
}
