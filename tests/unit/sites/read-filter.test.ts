import { describe, expect, it } from 'vitest';
import { parseSiteFilter } from '@/lib/sites/catalogue/schemas';

const read = (query: string) => parseSiteFilter((name) => new URLSearchParams(query).getAll(name));

describe('the parsed URL of the marketplace', () => {
  it('contains the filter and the sort order', () => {
    expect(read('niche=+Food+&minDr=20&maxPrice=99.5&minTraffic=1.2&sort=dr&order=desc')).toEqual({
      filter: { niche: ['Food'], minDr: 20, maxPrice: 9_950, minTraffic: 2, sort: 'dr', order: 'desc' },
      ignored: [],
    });
    expect(read('')).toEqual({ filter: {}, ignored: [] });
  });

  it('contains every value of a repeated niche, and the first one of another parameter', () => {
    expect(read('niche=Food&niche=Pets&postType=Guest+posts&postType=Homepage+links').filter).toEqual({
      niche: ['Food', 'Pets'],
      postType: 'Guest posts',
    });
  });

  it('omits invalid values, names each once in order, and keeps the rest', () => {
    expect(read('order=up&minDr=high&maxDr=60&q=garden&followType=Both')).toEqual({
      filter: { q: 'garden', maxDr: 60 },
      ignored: ['followType', 'minDr', 'order'],
    });
  });
});
