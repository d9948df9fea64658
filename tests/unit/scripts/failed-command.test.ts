import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** What a command that fails prints. */
function printed(failure: string): string {
  const script = `import { DrizzleQueryError } from 'drizzle-orm';
    import { runCommand } from './scripts/process/lifetime.ts';
    runCommand(async () => { throw ${failure}; });`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', script];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect(status).toBe(1);
  return stderr;
}

test('a query that fails in a command is told without its values, and with the reason', () => {
  const query = `new DrizzleQueryError('insert into users values ($1)', ['hunter2'], new Error('connection lost'))`;
  const told = printed(query);
  expect(told).toContain('Failed query: insert into users values ($1)');
  expect(told).toContain('connection lost');
  expect(told).not.toContain('hunter2');
});

test('a message for a person is told alone, without the password in an address', () => {
  expect(printed(`new Error('Nobody answers at postgres://app:hunter2@db/x.')`)).toBe(
    '\nNobody answers at postgres://app:[redacted]@db/x.\n',
  );
});
