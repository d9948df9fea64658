import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitByWords } from '@/app/(admin)/dashboard/features/serp-preview/_components/result-card';

const marked = (text: string, words: string) => splitByWords(text, words).filter((_, at) => at % 2 === 1);

describe('the words of a search', () => {
  it.each([
    ['Buy guest-posts. Guest-posts sell.', 'guest-posts', ['guest-posts', 'Guest-posts']],
    ['Spades and spadework', 'spade spades', ['Spades']],
    ['C++ (fast) costs $5', 'c++ (fast) $5', ['C++', '(fast)', '$5']],
    ['Größe und ÖL', 'öl', ['ÖL']],
    ['高品質な購入ガイド', '購入', ['購入']],
    ['Nothing', ' ', []],
  ])('are found in %j for %j', (text, words, found) => {
    expect(marked(text, words)).toEqual(found);
  });

  it('are matched as plain text, and the parts add up to the input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, words) => {
        expect(splitByWords(text, words).join('')).toBe(text);
      }),
    );
  });
});
