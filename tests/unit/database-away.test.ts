import { DrizzleQueryError } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { isDatabaseUnavailable, isQueryCanceled } from '@/db/database-errors';

const withCode = (code: string) => Object.assign(new Error(code), { code });

it.each(['ECONNREFUSED', 'CONNECTION_CLOSED', 'CONNECT_TIMEOUT', '57P01', '57P03', '08006', '53300'])(
  '%s says that the database cannot be reached, in a query and in a transaction',
  (code) => {
    expect(isDatabaseUnavailable(withCode(code))).toBe(true);
    expect(isDatabaseUnavailable(new DrizzleQueryError('select 1', [], withCode(code)))).toBe(true);
  },
);

it.each(['23505', '40001', 'ENOSPC', '57014'])('%s does not', (code) => {
  expect(isDatabaseUnavailable(new DrizzleQueryError('select 1', [], withCode(code)))).toBe(false);
});

it('nor does another service that cannot be reached', () => {
  expect(isDatabaseUnavailable(new TypeError('fetch failed', { cause: withCode('ECONNREFUSED') }))).toBe(false);
});

it('a statement that PostgreSQL broke off is told as that, in a query and in a transaction', () => {
  expect(isQueryCanceled(withCode('57014'))).toBe(true);
  expect(isQueryCanceled(new DrizzleQueryError('select 1', [], withCode('57014')))).toBe(true);
  expect(isQueryCanceled(withCode('57P01'))).toBe(false);
});
