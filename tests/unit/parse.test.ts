import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createOrderBody } from '@/lib/orders/order/schemas';
import { getListParams, parseInput, searchParamsObject } from '@/lib/platform/http/parse';
import { sitesQuery } from '@/lib/sites/catalogue/schemas';

const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
};

describe('query parameters', () => {
  it('become a list when they are repeated and their schema accepts one; of others the last value wins', () => {
    const lists = getListParams(sitesQuery);
    expect([...lists].sort()).toEqual(['country', 'language', 'niche']);
    const given = new URLSearchParams('niche=A&niche=B&country=C&postType=D&postType=E');
    expect(searchParamsObject(given, lists)).toEqual({ niche: ['A', 'B'], country: 'C', postType: 'E' });
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
