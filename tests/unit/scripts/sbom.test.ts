import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createSbom } from '@/scripts/dependencies/create-sbom';

/** The required fields of CycloneDX 1.5, and the formats that consumers match by (cyclonedx.org, JSON Reference). */
const component = {
  type: 'object',
  required: ['type', 'name', 'version', 'bom-ref', 'purl'],
  properties: {
    type: { enum: ['application', 'library'] },
    purl: { type: 'string', pattern: '^pkg:npm/(%40[^/@]+/)?[^/@]+@\\d[^@]*$' },
    scope: { enum: ['required', 'optional', 'excluded'] },
    hashes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['alg', 'content'],
        properties: {
          alg: { enum: ['SHA-1', 'SHA-512'] },
          content: { type: 'string', pattern: '^([0-9a-f]{40}|[0-9a-f]{128})$' },
        },
      },
    },
    licenses: {
      type: 'array',
      items: { type: 'object', anyOf: [{ required: ['license'] }, { required: ['expression'] }] },
    },
  },
};
const schema = {
  type: 'object',
  required: ['bomFormat', 'specVersion', 'serialNumber', 'version', 'metadata', 'components', 'dependencies'],
  properties: {
    bomFormat: { const: 'CycloneDX' },
    specVersion: { enum: ['1.5', '1.6'] },
    serialNumber: { type: 'string', pattern: '^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' },
    version: { type: 'integer', minimum: 1 },
    metadata: { type: 'object', required: ['timestamp', 'component'], properties: { component } },
    components: { type: 'array', items: component },
    dependencies: { type: 'array', items: { type: 'object', required: ['ref'] } },
  },
};
const lock = z.object({
  packages: z.record(z.string(), z.object({ version: z.string(), dev: z.boolean().optional() })),
});

const file: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package-lock.json'), 'utf8'));

test('npm run sbom lists every production package in valid CycloneDX, and no development package', () => {
  const sbom = createSbom(file);
  const ajv = new Ajv({ strict: false });
  expect(ajv.validate(schema, JSON.parse(JSON.stringify(sbom))), ajv.errorsText()).toBe(true);
  expect(sbom.metadata.component).toMatchObject({ name: 'linkmarket', type: 'application' });
  const production = Object.entries(lock.parse(file).packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`);
  const listed = sbom.components.map(({ name, version }) => `${name}@${version}`);
  expect(listed.sort()).toEqual([...new Set(production)].sort());
  expect(listed).toEqual(
    expect.arrayContaining([expect.stringMatching(/^next@/), expect.stringMatching(/^@img\/sharp-/)]),
  );
  expect(listed.some((name) => name.startsWith('vitest@'))).toBe(false);
});

test('the bill of materials lists dependencies by existing references', () => {
  const { metadata, components, dependencies } = createSbom(file);
  const refs = new Set([metadata.component, ...components].map((part) => part['bom-ref']));
  expect(refs.size).toBe(components.length + 1);
  expect(dependencies.map(({ ref }) => ref).sort()).toEqual([...refs].sort());
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([]);
  const reached = new Set([metadata.component['bom-ref']]);
  for (const ref of reached) {
    for (const next of dependencies.find((found) => found.ref === ref)?.dependsOn ?? []) reached.add(next);
  }
  expect([...refs].filter((ref) => !reached.has(ref))).toEqual([]);
});

test('resolves a nested package before one further out', () => {
  const { dependencies } = createSbom({
    packages: {
      '': { name: 'app', version: '1.0.0', dependencies: { a: '*', '@s/b': '*' } },
      'node_modules/a': { version: '1.0.0', dependencies: { '@s/b': '*' } },
      'node_modules/a/node_modules/@s/b': { version: '2.0.0', dependencies: { a: '*' } },
      'node_modules/@s/b': { version: '1.0.0' },
    },
  });
  expect(Object.fromEntries(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]))).toEqual({
    'pkg:npm/app@1.0.0': ['pkg:npm/a@1.0.0', 'pkg:npm/%40s/b@1.0.0'],
    'pkg:npm/a@1.0.0': ['pkg:npm/%40s/b@2.0.0'],
    'pkg:npm/%40s/b@2.0.0': ['pkg:npm/a@1.0.0'],
    'pkg:npm/%40s/b@1.0.0': [],
  });
});
