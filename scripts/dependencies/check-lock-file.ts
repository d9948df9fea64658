import { z } from 'zod';

const entry = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  deprecated: z.string().optional(),
  hasInstallScript: z.boolean().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
  link: z.boolean().optional(),
});
const lockFile = z.object({ packages: z.record(z.string(), entry) });
type Entry = z.infer<typeof entry>;

/** Licenses that are compatible with an MIT program; for an expression with OR, one is sufficient. */
const permissive =
  /^(MIT|MIT-0|ISC|0BSD|Apache-2\.0|BSD-2-Clause|BSD-3-Clause|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|Zlib|OFL-1\.1|CC-BY-4\.0)$/;

/**
 * Other reviewed licenses by package name, with the reason why they are allowed. Weak copyleft applies to changes of
 * the package itself, and the project changes none of them.
 */
const reviewedLicenses: [name: RegExp, license: RegExp, why: string][] = [
  [/^@img\/sharp-/, /LGPL-3\.0-or-later/, 'libvips, loaded as a library of its own'],
  [/^axe-core$|^lightningcss/, /^MPL-2\.0$/, 'tools of tests and builds; no file of them is changed'],
  [
    /^@stackforge-eu\/factur-x$/,
    /^EUPL-1\.2$/,
    'its schemas of Factur-X validate documents in tests; no file is changed',
  ],
  [/^argparse$/, /^Python-2\.0$/, 'a permissive license of the Python Software Foundation; comes with js-yaml'],
  [/^ibantools$/, /^MIT or MPL-2\.0$/, 'used under MIT; its manifest writes OR in lower case'],
  [/^jsonify$/, /^Public Domain$/, 'dedicated to the public; comes with patch-package'],
  [/^parse-cache-control$/, /^$/, 'BSD-3-Clause, as its LICENSE says; its manifest is older than that field'],
  [/^png-js$/, /^$/, 'MIT, as its LICENSE says; comes with pdfkit'],
  [
    /^@modelcontextprotocol\/inspector-cli$/,
    /^SEE LICENSE IN/,
    'Apache-2.0 and MIT, as its LICENSE says; a tool of tests',
  ],
  [/^@paypal\/checkout-server-sdk$/, /^SEE LICENSE IN/, 'PayPal’s SDK license: use with PayPal’s services'],
];

const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');

/**
 * Checks a lock file offline.
 * @param isInstalled whether a path of the lock file (node_modules/…) exists
 * @param allowScripts the field of package.json that lists packages with allowed install scripts. npm 11 blocks the
 * others (strict-allow-scripts in .npmrc), npm 10 runs them.
 * @returns the problems, one sentence each; the number of packages, and of packages for other platforms without a
 * checksum
 */
export function checkLockFile(
  lock: unknown,
  isInstalled: (path: string) => boolean,
  allowScripts: Record<string, boolean>,
): { problems: string[]; packages: number; unsealed: number } {
  const entries = Object.entries(lockFile.parse(lock).packages).filter(([path]) => path !== '');
  const unsealed = entries.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  const problems = entries.flatMap(([path, found]) =>
    listProblems(nameOf(path), found, isInstalled(path), allowScripts),
  );
  return { problems, packages: entries.length, unsealed: unsealed.length };
}

function listProblems(
  name: string,
  found: Entry,
  isInstalled: boolean,
  allowScripts: Record<string, boolean>,
): string[] {
  const { version, resolved, integrity, license = '', deprecated, hasInstallScript } = found;
  const what = `${name}@${version ?? '?'}`;
  const problems: string[] = [];
  if (found.link || (resolved && !resolved.startsWith('https://registry.npmjs.org/'))) {
    problems.push(`${what} does not come from the npm registry: ${resolved ?? 'it is a link'}.`);
  }
  // npm records no checksum for a package of another platform that was never downloaded here.
  const isElsewhere = found.optional && !isInstalled && (found.os ?? found.cpu) !== undefined;
  if (!integrity?.startsWith('sha512-') && !isElsewhere) problems.push(`${what} has no sha512 checksum.`);
  if (hasInstallScript && !allowScripts[name]) {
    problems.push(`${what} runs a script on installation and is not in allowScripts of package.json.`);
  }
  if (deprecated) problems.push(`${what} is deprecated: ${deprecated}`);
  if (
    !isPermissive(license) &&
    !reviewedLicenses.some(([names, licenses]) => names.test(name) && licenses.test(license))
  ) {
    problems.push(`${what} has the license ${license || 'unknown'}; review it and add it to this check.`);
  }
  return problems;
}

function isPermissive(license: string): boolean {
  const bare = license.replace(/^\((.*)\)$/, '$1');
  return bare.split(' OR ').some((choice) => choice.split(' AND ').every((part) => permissive.test(part)));
}
