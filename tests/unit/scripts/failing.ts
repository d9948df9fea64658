import { DrizzleQueryError } from 'drizzle-orm';
import { runCommand } from '../../../scripts/process/lifetime';

/** Run by the test of a command that fails: of a query, or with a message for a person. */
runCommand(async () => {
  if (process.argv[2] === 'query') {
    throw new DrizzleQueryError('insert into users values ($1)', ['hunter2'], new Error('connection lost'));
  }
  throw new Error('Nobody answers at postgres://app:hunter2@db/x.');
});
