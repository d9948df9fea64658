import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const example = readFileSync(join(root, '.env.example'), 'utf8');
const checked = readFileSync(join(root, 'lib/env.ts'), 'utf8');

/** Read only by scripts, so lib/env.ts does not contain them. */
const ofScripts = ['GATEWAY_PORT'];
/** Inlined into the bundle by the build. */
const sidebar = readFileSync(join(root, 'components/shell/admin-nav.ts'), 'utf8');
const ofBuild = [...sidebar.matchAll(/process\.env\.(NEXT_PUBLIC_\w+)/g)].map(([, name]) => name);

test('.env.example lists exactly the variables that the app reads, each with an explanation', () => {
  const listed = [...example.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
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
