import { expect, it } from 'vitest';
import { canParseUrl } from '@/lib/network/can-parse-url';

it('accepts addresses with Latin-1 letters also when its code is optimized', () => {
  const refused = Array.from({ length: 40_000 }, (_, index) => index).filter(
    (index) => !canParseUrl(`https://m${index % 2 ? 'ü' : 'u'}nchen.de/${index}`),
  );
  expect(refused).toEqual([]);
});

it('refuses what is no address', () => {
  expect(['', 'münchen', 'https://', 'https://a b/'].filter((text) => canParseUrl(text))).toEqual([]);
  expect(canParseUrl('/a', 'https://example.com')).toBe(true);
});
