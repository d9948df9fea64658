import { describe, expect, it } from 'vitest';
import { describeShownFigures, noteFigure } from '@/lib/sites/domain-figures/describe-figure';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

describe('the note of a figure', () => {
  it('has source and day, marks typed figures, and greys those older than 90 days', () => {
    expect(noteFigure({ source: 'seller', asOf: '2024-10-02' })).toEqual({
      title: 'Typed by the seller, Oct 2, 2024 (older than 90 days)',
      className: 'typed old',
    });
    expect(noteFigure({ source: 'seller', asOf: '2024-10-02' }, true).title).toMatch(/^Typed by you, Oct 2, 2024/);
    const fresh = noteFigure({ source: 'ahrefs', asOf: daysAgo(90) });
    expect(fresh).toEqual({ title: expect.stringMatching(/^Domain Rating by Ahrefs, \w{3} \d{1,2}, \d{4}$/) });
    expect(noteFigure({ source: 'ahrefs', asOf: daysAgo(91) })).toMatchObject({ className: 'old' });
    expect(noteFigure({ source: 'staff', asOf: daysAgo(1) })).toMatchObject({ className: 'typed' });
  });
});

it('a form says which figures buyers see instead of those that its author enters', () => {
  const sources = {
    dr: { source: 'ahrefs', asOf: '2026-11-20' },
    da: { source: 'seller', asOf: '2026-10-02' },
    spam: { source: 'staff', asOf: '2026-10-03' },
    traffic: { source: 'search_console', asOf: '2026-10-03' },
  } as const;
  const figures = { dr: 55, da: 40, spam: 2, traffic: null };
  expect(describeShownFigures(sources, figures, 'seller')).toEqual({
    dr: 'Buyers see 55: Domain Rating by Ahrefs, Nov 20, 2026',
    spam: 'Buyers see 2%: entered by our team, Oct 3, 2026',
  });
  expect(describeShownFigures(sources, figures, 'staff')).toEqual({
    dr: 'Buyers see 55: Domain Rating by Ahrefs, Nov 20, 2026',
    da: 'Buyers see 40: typed by the seller, Oct 2, 2026',
  });
});
