import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { SellerSteps } from '@/app/(seller)/seller/_components/seller-steps';
import { FigureTiles } from '@/app/(seller)/seller/_components/tiles';
import { formatDuration } from '@/components/ui/format';
import type { SellerRecord } from '@/lib/sites/record/read';
import { routed, textOf } from '@/tests/setup/render-part';

const offers = { offers: 12, accepted: 7, declined: 2, expired: 0, medianSeconds: 9_000, isCapped: false };
const record = {
  ...{ orders: 12, acceptedInTime: 1, deliveredInTime: 0.75, medianDays: 3, revisionsPerOrder: 0, disputesLost: 0 },
  alive: { '30': null, '90': null, '365': null },
};
const known = { record, orders: 12, accepted: 12, reliability: 0.4 };

describe('the figures of a seller', () => {
  const tiles = (props: Omit<Parameters<typeof FigureTiles>[0], 'own'>, own: SellerRecord = known) =>
    textOf(renderToStaticMarkup(routed(FigureTiles({ ...props, own }))));

  it('are the offers with their answers, the answer time, the deliveries and the views', () => {
    expect(tiles({ offers, views: 120 })).toBe(
      'Offers 12 7 accepted, 2 declined in 90 days Answer time 3 h median of the last 90 days Delivered in time 75% of 12 accepted orders in 12 months Site views 120+ by buyers in the last 30 days',
    );
    expect(tiles({ offers: { ...offers, offers: 1_000, isCapped: true }, views: null })).toContain('Offers 1,000+');
  });

  it('name no number of views below ten, and no figure that was not measured', () => {
    expect(tiles({ offers, views: 0 })).toMatch(/ Site views Below 10 by buyers in the last 30 days$/);
    const none = { offers: 0, accepted: 0, declined: 0, expired: 0, medianSeconds: null, isCapped: false };
    const shown = tiles({ offers: none, views: null }, { record: null, orders: 4, accepted: 4, reliability: null });
    expect(shown).toContain('Delivered in time New Fewer than 5 orders in the last 12 months.');
    expect(shown).toContain('Answer time – no answers in the last 90 days');
    expect(shown).not.toContain('Views');
  });

  it.each([
    [1, '1 min'],
    [3_000, '50 min'],
    [3_590, '1 h'],
    [169_000, '47 h'],
    [173_000, '2 days'],
  ])('write %s seconds as %s', (seconds, words) => {
    expect(formatDuration(seconds)).toBe(words);
  });
});

describe('the first steps of a seller', () => {
  const none = {
    ...{ hasVerifiedEmail: true, hasSite: false, hasApprovedSite: false },
    ...{ hasPayoutMethod: false, hasAccepted: false },
  };
  const all = { ...none, hasSite: true, hasApprovedSite: true, hasPayoutMethod: true, hasAccepted: true };
  const markup = (props: Partial<Parameters<typeof SellerSteps>[0]>) =>
    renderToStaticMarkup(routed(SellerSteps({ steps: none, hasPayouts: true, ...props })));
  const hrefs = (html: string) => [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href);

  it('link every step that is not done, and are gone when all are done', () => {
    expect(textOf(markup({}))).toContain('1 of 5 done');
    expect(hrefs(markup({}))).toEqual([
      '/seller/my-sites',
      '/seller/my-sites',
      '/seller/payouts',
      '/seller/orders?tab=new',
    ]);
    expect(hrefs(markup({ steps: { ...all, hasPayoutMethod: false } }))).toEqual(['/seller/payouts']);
    expect(markup({ steps: all })).toBe('');
  });

  it('leave out payouts while they are turned off', () => {
    expect(textOf(markup({ hasPayouts: false }))).toContain('1 of 4 done');
    expect(markup({ steps: { ...all, hasPayoutMethod: false }, hasPayouts: false })).toBe('');
  });
});
