import { failureCode } from './failure-code';

/** Whether PostgreSQL broke a statement off because it took longer than it may (db/open-pool.ts), or an operator did. */
export function isBrokenOff(thrown: unknown): boolean {
  return failureCode(thrown) === '57014';
}
