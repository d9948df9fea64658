import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const example = readFileSync(join(root, '.env.example'), 'utf8');
/** The settings of the demo and the tests, which no installation sets. */
const sandbox = readFileSync(join(root, 'docs/internals/sandbox.md'), 'utf8');
const checked = readFileSync(join(root, 'lib/env.ts'), 'utf8');

/** Read only by scripts, so lib/env.ts does not contain them. */
const ofScripts = ['GATEWAY_PORT'];
/** Inlined into the bundle by the build. */
const sidebar = readFileSync(join(root, 'components/shell/admin-nav.ts'), 'utf8');
const ofBuild = [...sidebar.matchAll(/process\.env\.(NEXT_PUBLIC_\w+)/g)].map(([, name]) => name);

const namesIn = (text: string) => [...text.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name);

test('.env.example and sandbox.md list exactly the variables that the app reads, with explanations', () => {
  const listed = [...namesIn(example), ...namesIn(sandbox)];
  const start = checked.indexOf('z.object({');
  const schema = checked.slice(start, checked.indexOf('\n});', start));
  const read = [...schema.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name);
  expect(read.length).toBeGreaterThan(5);
  expect(ofBuild).toHaveLength(2);
  expect([...listed].sort()).toEqual([...read, ...ofBuild, ...ofScripts].sort());
  const lines = example.split('\n');
  for (const [index, line] of lines.entries()) {
    if (/^(# )?[A-Z][A-Z0-9_]+=/.test(line)) expect(lines[index - 1], line).toMatch(/^# [A-Z].{10,}/);
  }
});

const compose = readFileSync(join(root, 'compose.yaml'), 'utf8');
const composeExample = readFileSync(join(root, 'deploy/compose/.env.example'), 'utf8');
/** The database, the port and the folder of compose.yaml are its own. */
const fixedByCompose = [
  ...['PORT', 'LISTEN_ADDRESS', 'TRUSTED_PROXIES', 'VERCEL', 'DATA_DIR'],
  ...['DATABASE_URL', 'MIGRATION_DATABASE_URL', 'DATABASE_CA', 'DATABASE_PREPARE'],
];

test('compose.yaml passes on every setting of .env.example, and each of its variables is described', () => {
  const used = [...compose.matchAll(/\$\{([A-Z][A-Z0-9_]+)/g)].map(([, name = '']) => name);
  const settings = namesIn(example).filter((name) => !fixedByCompose.includes(name));
  expect(settings.filter((name) => !used.includes(name))).toEqual([]);
  const described = [...namesIn(example), ...namesIn(composeExample)];
  expect(used.filter((name) => !described.includes(name) && !name.endsWith('_IMAGE'))).toEqual([]);
  const required = [...compose.matchAll(/\$\{([A-Z][A-Z0-9_]+):\?/g)].map(([, name = '']) => name);
  expect(required.length).toBeGreaterThan(4);
  expect(required.filter((name) => !new RegExp(`^${name}=`, 'm').test(composeExample))).toEqual([]);
});
