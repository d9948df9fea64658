import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
const alerts = [...read('deploy/monitoring/alerts.yml').matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name);
const described = [...read('docs/monitoring.md').matchAll(/^\*\*(LinkMarket\w+)\*\*: .{40,}$/gm)].map(
  ([, name]) => name,
);

// promtool, which checks the syntax of the rules, is no npm package. The domain tests compare the metrics' names.
it('every alert has a paragraph in docs/monitoring.md, in the same order', () => {
  expect(alerts.length).toBeGreaterThan(10);
  expect(described).toEqual(alerts);
});
