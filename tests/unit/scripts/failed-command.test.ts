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
  const output = printed('query');
  expect(output).toContain('Failed query: insert into users values ($1)');
  expect(output).toContain('connection lost');
  expect(output).not.toContain('hunter2');
});

test('prints only the message for the user, without the password in a URL', () => {
  expect(printed('message')).toBe('\nNo server at postgres://app:[redacted]@db/x.\n');
});
