import { DrizzleQueryError } from 'drizzle-orm';
import { runCommand } from '@/scripts/process/lifetime';

/** The child process of the test of a failing command: throws a query error or a message for the user. */
runCommand(async () => {
  if (process.argv[2] === 'query') {
    throw new DrizzleQueryError('insert into users values ($1)', ['hunter2'], new Error('connection lost'));
  }
  throw new Error('No server at postgres://app:hunter2@db/x.');
});
