import { expect, it } from 'vitest';
import { nicheKey } from '@/lib/taxonomy/contract';

it('spellings of a niche are equal, and other niches are not', () => {
  for (const spelling of ['health and fitness', 'Health/Fitness', ' HEALTH - Fitness', 'Health, fitness'])
    expect(nicheKey(spelling)).toBe(nicheKey('Health & Fitness'));
  expect(nicheKey('Sports')).toBe(nicheKey('sport'));
  expect(nicheKey('Crypto News')).toBe(nicheKey('Cryptonews'));
  const others = [
    'SEO',
    'C++',
    'C#',
    'C',
    'Music',
    'Musical',
    'News',
    'New',
    'Gas',
    'Ga',
    '🌱',
    '🌳',
    '&',
    'and',
    'Search',
    'Séarch',
  ];
  expect(new Set(others.map(nicheKey)).size).toBe(others.length);
});
