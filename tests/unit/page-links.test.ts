import { describe, expect, it } from 'vitest';
import { pageLinks } from '@/components/table/pagination';

const at = (page: number, rows = 30) => ({ page, rows, limit: rows, offset: (page - 1) * rows });
const cursors = { next: 'n', previous: 'p' };

describe('the links of a paginated list', () => {
  it('lead to the neighbouring pages, never past either end', () => {
    expect(pageLinks(at(1), 65)).toEqual({
      range: '1–30',
      previous: null,
      next: { page: 2, cursor: null },
      last: { page: 3, cursor: null },
    });
    expect(pageLinks(at(3), 65)).toEqual({
      range: '61–65',
      previous: { page: 2, cursor: null },
      next: null,
      last: null,
    });
    expect(pageLinks(at(1), 0)).toEqual({ range: '0–0', previous: null, next: null, last: null });
  });

  it('lead from a page past the end to the last page', () => {
    expect(pageLinks(at(9), 65)).toEqual({
      range: '0',
      previous: { page: 3, cursor: null },
      next: null,
      last: null,
    });
    expect(pageLinks(at(9), 65, false, { next: null, previous: null })).toMatchObject({ previous: { page: 3 } });
  });

  it('continue past a capped count while there are rows', () => {
    expect(pageLinks(at(34), 1_000, true, cursors)).toEqual({
      range: '991–1,020',
      previous: { page: 33, cursor: null },
      next: { page: 35, cursor: 'n' },
      last: null,
    });
    expect(pageLinks(at(50), 1_000, true, { next: null, previous: 'p' })).toEqual({
      range: '1,471–1,500',
      previous: { page: 49, cursor: 'p' },
      next: null,
      last: null,
    });
  });

  it('count the pages from the end behind a capped count', () => {
    const readsFromEnd = { readsFromEnd: true };
    expect(pageLinks({ ...at(1), ...readsFromEnd }, 10_000, true, cursors).last).toEqual({ page: -1, cursor: 'last' });
    const fromEnd = (page: number) => ({ ...at(1), ...readsFromEnd, page });
    expect(pageLinks(fromEnd(-1), 10_000, true, { next: null, previous: 'p' })).toEqual({
      range: 'last 30',
      previous: { page: -2, cursor: 'p' },
      next: null,
      last: null,
    });
    expect(pageLinks(fromEnd(-2), 10_000, true, cursors)).toEqual({
      range: 'last 60–31',
      previous: { page: -3, cursor: 'p' },
      next: { page: -1, cursor: 'n' },
      last: { page: -1, cursor: 'last' },
    });
  });
});
