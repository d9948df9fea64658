import { expect, test } from 'vitest';
import { decodeCursor } from '@/lib/sites/catalogue/schemas';

const cursor = (...parts: unknown[]) => decodeCursor(Buffer.from(JSON.stringify(parts)).toString('base64url'));

test.each([
  ['a fraction of a price', ['next', 'price', 'asc', 1.5, 1]],
  ['a price beyond bigint', ['next', 'price', 'asc', 1e308, 1]],
  ['a fraction of visitors', ['next', 'traffic', 'desc', 1.5, 1]],
  ['visitors beyond bigint', ['next', 'traffic', 'desc', -1e308, 1]],
  ['no price', ['next', 'price', 'asc', null, 1]],
  ['a text as a rating', ['next', 'dr', 'asc', '1', 1]],
  ['a name with NUL', ['next', 'name', 'asc', 'a\u0000', 1]],
  ['an id beyond integer', ['next', 'dr', 'asc', 1, 2 ** 31]],
])('rejects a cursor with %s', (_, parts) => {
  expect(cursor(...parts)).toBeNull();
});

test.each([
  [['next', 'price', 'asc', 1500, 1]],
  [['previous', 'traffic', 'desc', null, 1]],
  [['next', 'dr', 'desc', 71.5, 1]],
  [['next', 'da', 'asc', null, 1]],
  [['next', 'name', 'asc', 'Ä', 1]],
  [['next', 'added', 'asc', 7, 7]],
])('reads its own cursor: %j', (parts) => {
  expect(cursor(...parts)).not.toBeNull();
});
