import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { auditLogFilter, auditLogQuery } from '@/lib/audit/schemas';
import { AppError } from '@/lib/errors';
import { createOrderBody, deleteOrderQuery } from '@/lib/orders/order/schemas';
import { getListParams, parseFilters, parseInput, parseQuery } from '@/lib/platform/http/parse';
import { sitesQuery } from '@/lib/sites/catalogue/schemas';

const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
};

/** The names of the refused fields; null when the input is accepted. */
function refusedFields(run: () => unknown): string[] | null {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_input') return Object.keys(error.details.fields ?? {});
    throw error;
  }
  return null;
}

describe('query parameters', () => {
  const read = (query: string) => parseQuery(sitesQuery, new URLSearchParams(query), 'GET');

  it('become a list when they are repeated and their schema accepts one', () => {
    expect([...getListParams(sitesQuery)].sort()).toEqual(['country', 'language', 'measured', 'niche']);
    expect(read('niche=A&niche=B&country=C&postType=D')).toEqual({
      ...{ niche: ['A', 'B'], country: ['C'], postType: 'D' },
    });
  });

  it.each([
    ['postType=A&postType=B', 'postType'],
    ['sort=price&sort=price', 'sort'],
    ['niche[]=Travel&niche[]=Pets', 'niche'],
    ['niche[0]=Travel', 'niche'],
    ['minDr[gte]=40', 'minDr'],
    ['q=%00', 'q'],
    ['niche=Travel&niche=%00', 'niche'],
    ['undeclared=a%00b', 'undeclared'],
    ['limit=0x10', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=+5', 'limit'],
    ['limit=5.0', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=9007199254740993', 'limit'],
    ['offset=%20', 'offset'],
    ['offset=10000001', 'offset'],
  ])('%s is refused with its field', (query, field) => {
    expect(refusedFields(() => read(query))).toEqual([field]);
  });

  it('that are empty or not declared are ignored in a request that reads', () => {
    expect(read('q=&minDr=&niche=&limit=&sort=&utm_source=x&_=1&__proto__=y&toString=z&=&[x]=1&page[size]=5')).toEqual(
      {},
    );
    expect(read('q=&q=shoes&limit=&limit=5')).toEqual({ q: 'shoes', limit: 5 });
  });

  it('that are empty are refused in a request that changes something', () => {
    const given = new URLSearchParams('version=');
    expect(parseQuery(deleteOrderQuery, given, 'GET')).toEqual({});
    expect(refusedFields(() => parseQuery(deleteOrderQuery, given, 'DELETE'))).toEqual(['version']);
  });
});

describe('the cursor of a list whose ids are numbers', () => {
  it.each(['next.5', 'previous.123456789012345678', 'last'])('accepts %s', (cursor) => {
    expect(refusedFields(() => parseInput(auditLogQuery, { cursor }))).toBeNull();
  });

  it.each(['next.01jh4z9x', 'next.5x', 'next.-5', 'next.', 'next.1234567890123456789', '5', 'first', 'NEXT.5'])(
    'refuses %s',
    (cursor) => {
      expect(refusedFields(() => parseInput(auditLogQuery, { cursor }))).toEqual(['cursor']);
    },
  );
});

describe('the filters of a screen', () => {
  it('omit what the API refuses, and name it', () => {
    const given = { q: 'order 12', source: 'nowhere', from: '2026-02-29', to: '2026-03-01' };
    expect(parseFilters(auditLogFilter, given)).toEqual({
      filter: { q: 'order 12', to: '2026-03-01' },
      ignored: ['source', 'from'],
    });
    expect(refusedFields(() => parseInput(auditLogFilter, given))).toEqual(['source', 'from']);
  });
});

describe('input validation', () => {
  it('rejects a NUL character anywhere', () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), (json, text) => {
        const hidden = [{ deep: [JSON.parse(json), { note: `${text}\u0000` }] }];
        return /NUL/.test(refusal(() => parseInput(z.unknown(), hidden)));
      }),
    );
    expect(refusal(() => parseInput(z.unknown(), { 'a\u0000': 1 }))).toMatch(/NUL/);
    expect(refusedFields(() => parseInput(z.unknown(), { brief: [{ note: '\u0000' }] }))).toEqual(['brief.0.note']);
  });

  it('rejects an unpaired surrogate anywhere, and keeps complete pairs', () => {
    for (const text of ['a\ud800', '\udfff', '\ude00\ud83d', 'x\ud83dx']) {
      expect(refusal(() => parseInput(z.unknown(), [{ note: text }]))).toMatch(/incomplete character/);
      expect(refusal(() => parseInput(z.unknown(), [{ [text]: 1 }]))).toMatch(/incomplete character/);
    }
    const whole = { '😀': ['𝒳', 'e\u0301', '👩‍🚀'] };
    expect(parseInput(z.unknown(), whole)).toEqual(whole);
  });

  it('rejects deeply nested input with a reason', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(refusal(() => parseInput(z.unknown(), { deep }))).toMatch(/nested too deeply/);
  });

  it('returns a sentence that names the field where needed', () => {
    const schema = z.object({ name: z.string({ error: 'Enter a name.' }), age: z.number() });
    expect(refusal(() => parseInput(schema, { age: 1 }))).toBe('Enter a name.');
    expect(refusal(() => parseInput(schema, { name: 'x', age: 'y' }))).toMatch(/^age: /);
    expect(refusal(() => parseInput(schema, []))).toMatch(/^Invalid request: /);
  });
});

describe('an order', () => {
  const custom = (siteIds: unknown) => createOrderBody.safeParse({ kind: 'custom', projectId: 'p', siteIds }).success;

  it('accepts site numbers as numbers or digits only', () => {
    expect(custom([52, '53'])).toBe(true);
    for (const id of [true, [52], '0x34', ' 52', '052', '1e2', 1.5, 0, -1, null, {}, 2 ** 31]) {
      expect(custom([id]), JSON.stringify(id)).toBe(false);
    }
  });

  it.each([
    [undefined, 1],
    ['abc', 1],
    [null, 1],
    [[], 1],
    [true, 1],
    ['4', 4],
    [3, 3],
  ])('replaces the quantity %j with %i', (quantity, expected) => {
    expect(createOrderBody.parse({ kind: 'package', projectId: 'p', packageId: 1, quantity })).toMatchObject({
      quantity: expected,
    });
  });

  it.each([0, -1, 2.5, 101, '1000'])('rejects the quantity %j', (quantity) => {
    expect(createOrderBody.safeParse({ kind: 'package', projectId: 'p', packageId: 1, quantity }).success).toBe(false);
  });
});
