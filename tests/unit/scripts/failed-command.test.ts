import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** What the command prints that fails so. */
function printed(how: 'query' | 'message'): string {
  const args = ['--import', 'tsx', join(import.meta.dirname, 'failing.ts'), how];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status).toBe(1);
  return stderr;
}

test('a query that fails in a command is told without its values, and with the reason', () => {
  const told = printed('query');
  expect(told).toContain('Failed query: insert into users values ($1)');
  expect(told).toContain('connection lost');
  expect(told).not.toContain('hunter2');
});

test('a message for a person is told alone, without the password in an address', () => {
  expect(printed('message')).toBe('\nNobody answers at postgres://app:[redacted]@db/x.\n');
});
