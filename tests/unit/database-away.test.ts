import { DrizzleQueryError } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { isDatabaseUnavailable, isQueryCanceled } from '@/db/database-errors';

const withCode = (code: string) => Object.assign(new Error(code), { code });

it.each(['ECONNREFUSED', 'CONNECTION_CLOSED', 'CONNECT_TIMEOUT', '57P01', '57P03', '08006', '53300'])(
  '%s means that the database is unavailable, in a query and in a transaction',
  (code) => {
    expect(isDatabaseUnavailable(withCode(code))).toBe(true);
    expect(isDatabaseUnavailable(new DrizzleQueryError('select 1', [], withCode(code)))).toBe(true);
  },
);

it.each(['23505', '40001', 'ENOSPC', '57014'])('%s does not mean that the database is unavailable', (code) => {
  expect(isDatabaseUnavailable(new DrizzleQueryError('select 1', [], withCode(code)))).toBe(false);
});

it('an unavailable other service does not count as an unavailable database', () => {
  expect(isDatabaseUnavailable(new TypeError('fetch failed', { cause: withCode('ECONNREFUSED') }))).toBe(false);
});

it('recognizes a statement that PostgreSQL cancelled, in a query and in a transaction', () => {
  expect(isQueryCanceled(withCode('57014'))).toBe(true);
  expect(isQueryCanceled(new DrizzleQueryError('select 1', [], withCode('57014')))).toBe(true);
  expect(isQueryCanceled(withCode('57P01'))).toBe(false);
});
