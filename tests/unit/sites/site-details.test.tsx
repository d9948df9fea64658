import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { SiteDetails } from '@/components/sites/site-details';
import type { SiteDetail } from '@/lib/sites/views';

const site: SiteDetail = {
  ...{ id: 7, name: 'Heron', url: 'https://heron.example', niche: 'Travel', country: 'USA', language: 'English' },
  ...{ dr: 41, da: null, as: null, spam: 2, traffic: 1_200, keywords: null, refDomains: null },
  ...{ words: 600, tatDays: 3, follow: true, priceCents: 10_000, currency: 'USD' as const, usdCents: 10_000 },
  ...{ postType: 'Guest posts', samplePosts: [], rules: '', figures: null },
};
const render = (changes: Partial<SiteDetail>, guarantee: string | null = null) =>
  renderToStaticMarkup(
    <SiteDetails
      site={{ ...site, ...changes }}
      similar={[]}
      detailHref={(id) => `/user/marketplace?site=${id}`}
      guarantee={guarantee}
    />,
  );

describe('the details of a site', () => {
  it('show the known figures only, with who entered them and when', () => {
    const updatedAt = new Date(Date.now() - 3 * 86_400_000);
    expect(render({ figures: { updatedAt, source: 'seller' } }).replace(/<[^>]*>/g, '')).toContain(
      'DR41Traffic1,200Spam2%Updated 3 days ago by the seller',
    );
    expect(render({ figures: { updatedAt, source: 'staff' } })).toContain('by our team');
    expect(render({})).toContain('When these figures were entered is not known.');
    expect(render({})).not.toContain('Keywords');
    expect(render({ dr: null, spam: null, traffic: null })).toContain('No figures were entered for this site.');
  });

  it('show texts of the seller as text, and links that pass on nothing', () => {
    const html = render({
      rules: '<img src=x onerror=alert(1)>\nTwo links.',
      samplePosts: ['https://heron.example/a'],
    });
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;\nTwo links.');
    expect(html).toContain('href="https://heron.example/a" target="_blank" rel="noopener noreferrer nofollow"');
  });

  it('leave out what a site does not have', () => {
    expect(render({})).not.toMatch(/Sample posts|Rules|Similar sites|Guarantee/);
    expect(render({}, 'We check the link for 90 days.')).toContain('We check the link for 90 days.');
  });
});
