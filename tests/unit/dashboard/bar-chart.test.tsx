import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { BarChart, listTicks } from '@/components/dashboard/bar-chart';

const amount = fc.integer({ min: 0, max: 1_000_000_000_00 });

describe('listTicks', () => {
  it.each([
    [0, 160_372, [0, 50_000, 100_000, 150_000, 200_000]],
    [0, 4, [0, 1, 2, 3, 4]],
    [0, 999, [0, 500, 1_000]],
    [-2_500, 10_000, [-5_000, 0, 5_000, 10_000]],
    [-100, 0, [-100, -50, 0]],
    [0, 0, [0, 50, 100]],
  ])('of %s to %s cents are round amounts', (bottom, top, ticks) => {
    expect(listTicks(bottom, top)).toEqual(ticks);
  });

  it('enclose the range with zero, at the same distances, in at most six intervals', () => {
    fc.assert(
      fc.property(amount, amount, (below, top) => {
        const ticks = listTicks(-below, top);
        const distances = new Set(ticks.slice(1).map((tick, index) => tick - (ticks[index] ?? 0)));
        expect(ticks[0]).toBeLessThanOrEqual(-below);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(top);
        expect(ticks.some((tick) => tick === 0)).toBe(true);
        expect(ticks.length).toBeLessThanOrEqual(7);
        expect([...distances].map((distance) => String(distance).replace(/0+$/, ''))).toEqual([
          expect.stringMatching(/^[125]$/),
        ]);
      }),
    );
  });
});

describe('the chart', () => {
  const bars = [
    { key: 'a', label: 'Mar 3', amounts: [160_372] },
    { key: 'b', label: 'Mar 4', amounts: [50] },
  ];
  const markup = renderToStaticMarkup(<BarChart bars={bars} series={[{ name: 'Sales' }]} label="Sales per day." />);

  it('labels its axis with round amounts', () => {
    expect(markup.match(/\$[\d,.]+(?=<)/g)).toEqual(['$0', '$500', '$1,000', '$1,500', '$2,000']);
  });

  it('has no native tooltips, and is read with a keyboard', () => {
    expect(markup).not.toContain('<title>');
    expect(markup).toContain('role="slider" tabindex="0"');
    expect(markup).toContain('aria-valuetext="Mar 4: Sales $0.50"');
  });
});
