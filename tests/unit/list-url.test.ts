import { describe, expect, it } from 'vitest';
import { readPageParams, readSort, withParams } from '@/components/table/url';
import { buildViewQuery } from '@/components/users/saved-views';
import { siteFilterNames } from '@/lib/sites/catalogue/schemas';

describe('buildViewQuery', () => {
  it('keeps the filters, the order and the page size, in a fixed order', () => {
    const params = { status: 'Live', q: ' a ', tag: '', order: 'desc', sort: 'charged', rows: '50' };
    const opened = { page: '3', cursor: 'next.5', tab: 'x', refund: '1', user: 'u' };
    expect(buildViewQuery({ ...opened, ...params }, ['q', 'status', 'tag'])).toBe(
      'order=desc&q=a&rows=50&sort=charged&status=Live',
    );
    expect(buildViewQuery(opened, ['q'])).toBe('');
  });
});

describe('withParams', () => {
  it('changes the named parameters and keeps the others', () => {
    expect(withParams('/list', { q: 'a b', status: 'Pending', page: '3' }, { status: 'Live', page: null })).toBe(
      '/list?q=a+b&status=Live',
    );
  });

  it('leaves no trailing question mark', () => {
    expect(withParams('/list', { q: 'x' }, { q: '' })).toBe('/list');
  });

  it('keeps repeated parameters', () => {
    expect(withParams('/list', { tag: ['a', 'b'], none: undefined }, { page: 2 })).toBe('/list?tag=a&tag=b&page=2');
  });

  it('repeats the parameter of a list, and removes that of an empty one', () => {
    expect(withParams('/list', { niche: 'a', tag: 'x' }, { niche: ['b', 'c'], tag: [] })).toBe('/list?niche=b&niche=c');
  });

  it('says where the last choice is removed from a list that opens with the last view', () => {
    const list = '/user/marketplace';
    for (const name of siteFilterNames.filter((name) => name !== 'q' && name !== 'sort')) {
      expect(withParams(list, { [name]: 'x', q: 'y' }, { [name]: null })).toBe(`${list}?q=y&sort=price`);
      expect(withParams('/list', { [name]: 'x' }, { [name]: null })).toBe('/list');
    }
    expect(withParams(list, { sort: 'dr', order: 'desc' }, { sort: '', order: undefined })).toBe(`${list}?sort=price`);
    expect(withParams(list, { minDr: '1', niche: 'Law' }, { minDr: null })).toBe(`${list}?niche=Law`);
    expect(withParams(list, { q: 'x', site: '5', page: '2', show: 'hidden' }, { site: null })).toBe(
      `${list}?q=x&page=2&show=hidden`,
    );
    expect(withParams(list, { q: 'x' }, { q: null })).toBe(list);
  });

  it('does not modify the given URLSearchParams', () => {
    const given = new URLSearchParams('q=x');
    withParams('/list', given, { q: null });
    expect(given.get('q')).toBe('x');
  });
});

describe('readPageParams', () => {
  const read = (params: Record<string, string>) => readPageParams(params, [25, 50], 25);

  it('counts pages from one', () => {
    const paging = { page: 3, rows: 50, limit: 50, offset: 100 };
    expect(read({ page: '3', rows: '50' })).toEqual({ ...paging, sizes: [25, 50], defaultRows: 25 });
  });

  it.each(['0', '-1', '1.5', 'x', '1e9', ''])('falls back to the first page for %j', (page) => {
    expect(read({ page }).offset).toBe(0);
  });

  it('accepts only the offered page sizes', () => {
    expect(read({ rows: '9999' }).limit).toBe(25);
  });
});

describe('readSort', () => {
  it('accepts only whitelisted keys', () => {
    const fallback = { key: 'price', order: 'asc' } as const;
    expect(readSort({ sort: 'password', order: 'desc' }, ['price', 'dr'], fallback)).toEqual(fallback);
    expect(readSort({ sort: 'dr', order: 'desc' }, ['price', 'dr'], fallback)).toEqual({ key: 'dr', order: 'desc' });
  });
});
