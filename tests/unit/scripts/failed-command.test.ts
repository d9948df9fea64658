import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** The output of a command that fails this way. */
function printed(how: 'query' | 'message'): string {
  const args = ['--import', 'tsx', join(import.meta.dirname, 'failing.ts'), how];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status).toBe(1);
  return stderr;
}

test('prints a failed query without its parameters, and with the reason', () => {
  const told = printed('query');
  expect(told).toContain('Failed query: insert into users values ($1)');
  expect(told).toContain('connection lost');
  expect(told).not.toContain('hunter2');
});

test('prints only the message for the user, without the password in a URL', () => {
  expect(printed('message')).toBe('\nNobody answers at postgres://app:[redacted]@db/x.\n');
});
