import { randomUUID } from 'node:crypto';
import { z } from 'zod';

const names = z.record(z.string(), z.string()).default({});
const entry = z.object({
  name: z.string().optional(),
  version: z.string(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
});
const lockFile = z.object({ packages: z.record(z.string(), entry) });
type Entry = z.infer<typeof entry>;

/**
 * Creates the software bill of materials of production as CycloneDX 1.5 JSON (cyclonedx.org, JSON Reference): every
 * package of the lock file except development dependencies, including native packages of all platforms. `npm sbom` is
 * not suitable: it omits packages that development uses as well, and fails on optional peers of development.
 * @param lock the parsed package-lock.json
 */
export function createSbom(lock: unknown) {
  const { '': root, ...packages } = lockFile.parse(lock).packages;
  if (!root) throw new Error('The lock file does not name the project.');
  const inProduction = Object.fromEntries(Object.entries(packages).filter(([, { dev }]) => !dev));
  // A package installed twice in the same version is one component with the dependencies of both.
  const components = new Map<string, ReturnType<typeof componentOf>>();
  const dependencies = new Map<string, Set<string>>([[refOf('', root), dependenciesOf('', root, inProduction)]]);
  for (const [path, found] of Object.entries(inProduction)) {
    const ref = refOf(path, found);
    if (!components.has(ref)) components.set(ref, componentOf(path, found));
    const before = dependencies.get(ref) ?? [];
    dependencies.set(ref, new Set([...before, ...dependenciesOf(path, found, inProduction)]));
  }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: {
      timestamp: new Date().toISOString(),
      lifecycles: [{ phase: 'pre-build' }],
      component: { ...componentOf('', root), type: 'application' },
    },
    components: [...components.values()],
    dependencies: [...dependencies].map(([ref, on]) => ({ ref, dependsOn: [...on] })),
  };
}

function componentOf(path: string, { version, name, resolved, integrity, license, optional, ...found }: Entry) {
  const sha512 = /^sha512-(\S+)/.exec(integrity ?? '')?.[1];
  return {
    type: 'library',
    'bom-ref': refOf(path, { version, name, ...found }),
    name: nameOf(path, name),
    version,
    scope: optional ? 'optional' : 'required',
    purl: refOf(path, { version, name, ...found }),
    ...(sha512 && { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
    ...(license && { licenses: [licenseOf(license)] }),
    ...(resolved && { externalReferences: [{ type: 'distribution', url: resolved }] }),
  };
}

/** Returns an SPDX identifier, an SPDX expression, or the package's own text. */
function licenseOf(license: string) {
  if (/^[\w.-]+$/.test(license)) return { license: { id: license } };
  return / (OR|AND|WITH) /.test(license) ? { expression: license } : { license: { name: license } };
}

/** Returns the package URL (purl-spec, type npm), which also identifies the component in the document. */
function refOf(path: string, { name, version }: Pick<Entry, 'name' | 'version'>): string {
  return `pkg:npm/${nameOf(path, name).replace('@', '%40')}@${encodeURIComponent(version)}`;
}

/** Returns the name of a package. An alias is installed in a folder with another name. */
const nameOf = (path: string, name: string | undefined) => name ?? path.replace(/^.*node_modules\//, '');

/** Resolves the dependencies like Node.js: in the package's own node_modules, then in those of parent folders. */
function dependenciesOf(path: string, found: Entry, packages: Record<string, Entry>): Set<string> {
  const requested = { ...found.peerDependencies, ...found.optionalDependencies, ...found.dependencies };
  const refs = Object.keys(requested).flatMap((name) => {
    for (let from = path; ; from = from.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
      const target = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
      const installed = packages[target];
      if (installed) return refOf(target, installed);
      if (from === '') return [];
    }
  });
  return new Set(refs);
}
