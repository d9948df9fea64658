import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { SiteDetails } from '@/components/sites/site-details';
import type { SiteDetail } from '@/lib/sites/views';

const today = new Date().toISOString().slice(0, 10);

const site: SiteDetail = {
  ...{ id: 7, name: 'Heron', url: 'https://heron.example', niche: 'Travel', country: 'USA', language: 'English' },
  ...{ dr: 41, da: null, as: null, spam: 2, traffic: 1_200, keywords: null, refDomains: null },
  ...{ words: 600, tatDays: 3, follow: true, usdCents: 10_000 },
  ...{ ownership: null, postType: 'Guest posts', samplePosts: [], rules: '', figures: [], record: null },
};
const render = (changes: Partial<SiteDetail>, guarantee: string | null = null) =>
  renderToStaticMarkup(
    <SiteDetails
      site={{ ...site, ...changes }}
      similar={[]}
      detailHref={(id) => `/user/marketplace?site=${id}`}
      guarantee={guarantee}
      dayKind="calendar"
      options={[]}
    />,
  );

describe('the details of a site', () => {
  it('show each figure with its source and day, ranks under their own names, and old ones in grey', () => {
    const html = render({
      figures: [
        { metric: 'dr', value: 55, source: 'ahrefs', asOf: today },
        { metric: 'traffic', value: 1_200, source: 'seller', asOf: '2025-10-02' },
        { metric: 'spam', value: 2, source: 'staff', asOf: '2025-01-31' },
        { metric: 'cc_rank', value: 81_234, source: 'common_crawl', asOf: '2025-09-01' },
        { metric: 'crux_rank', value: 10_000, source: 'crux', asOf: '2025-09-01' },
      ],
    });
    const rows = [...html.matchAll(/<dt[^>]*>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd><dd[^>]*>(.*?)<\/dd>/g)];
    expect(rows.map(([, name, value, origin]) => [name, value, origin])).toEqual([
      ['DR', '55', expect.stringMatching(/^Domain Rating by Ahrefs, \w{3} \d{1,2}, \d{4}$/)],
      ['Traffic', '1,200', 'typed by the seller, Oct 2, 2025'],
      ['Spam', '2%', 'entered by our team, Jan 31, 2025'],
      ['Link rank, Common Crawl', '81,234', 'Common Crawl, Sep 1, 2025'],
      ['Popularity rank, Chrome UX Report', 'top 10,000', 'Chrome UX Report, Sep 1, 2025'],
    ]);
    expect(html.match(/items-baseline[^"]*text-ink/g)).toHaveLength(1);
    expect(html.match(/items-baseline[^"]*text-subtle/g)).toHaveLength(4);
    expect(render({})).toContain('No figures are known for this site.');
  });

  it('say whether the domain is proved, and by no name', () => {
    expect(render({ ownership: 'owner' })).toContain('Verified owner');
    expect(render({ ownership: 'contributor' })).toMatch(/Contributor.*Another seller has proved this domain/);
    expect(render({})).not.toMatch(/Verified owner|Contributor/);
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
