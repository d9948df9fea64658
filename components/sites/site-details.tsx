import Link from 'next/link';
import type { ReactNode } from 'react';
import { type Fact, FactList } from '@/components/ui/card';
import { formatMoney, formatUsd } from '@/lib/money';
import type { OfferedOption } from '@/lib/orders/options/contract';
import type { DayKind } from '@/lib/settings/placement-rules';
import type { PublicSiteRow, SiteDetail } from '@/lib/sites/views';
import { FigureLegend } from './figure-legend';
import { FigureValue } from './figure-value';
import { SiteFigures } from './site-figures';
import { SiteOptions } from './site-options';
import { SiteOwnership } from './site-ownership';
import { SiteRecord } from './site-record';
import { formatDays, formatFigure, siteHost } from './site-text';

type SiteDetailsProps = {
  site: SiteDetail;
  /** Sites with a similar niche, price and DR. */
  similar: readonly PublicSiteRow[];
  /** The URL of a site's drawer. */
  detailHref: (id: number) => string;
  /** What happens when a link is lost; null without a guarantee. */
  guarantee: string | null;
  /** The days that a turnaround counts. */
  dayKind: DayKind;
  /** What the publisher sells besides the placement. */
  options: readonly OfferedOption[];
};

/** Shows what buyers see of a site: its figures with their sources, the terms of a placement, and similar sites. */
export function SiteDetails({ site, similar, detailHref, guarantee, dayKind, options }: SiteDetailsProps) {
  const { samplePosts, rules } = site;
  return (
    <div className="grid gap-6">
      <SiteOwnership ownership={site.ownership} />
      <SiteFigures figures={site.figures} />
      <Section title="Placement">
        <FactList facts={placementFacts(site, guarantee, dayKind)} />
      </Section>
      {options.length > 0 ? (
        <Section title="Options">
          <SiteOptions options={options} />
        </Section>
      ) : null}
      <Section title="Track record">
        <SiteRecord record={site.record} />
      </Section>
      {samplePosts.length > 0 ? (
        <Section title="Sample posts">
          <ul className="grid gap-1.5 text-sm">
            {samplePosts.map((url) => (
              <li key={url} className="min-w-0">
                <a
                  href={url}
                  target="_blank"
                  rel="noopener noreferrer nofollow"
                  className="block truncate rounded-sm text-accent-ink hover:underline"
                >
                  {siteHost(url)}
                </a>
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      {rules ? (
        <Section title="Rules">
          <p className="wrap-anywhere whitespace-pre-line text-ink text-sm">{rules}</p>
        </Section>
      ) : null}
      {similar.length > 0 ? (
        <Section title="Similar sites">
          <ul className="divide-y divide-line rounded-lg border border-line">
            {similar.map(({ id, name, dr, traffic, figureSources, publicPriceUsdCents }) => (
              <li key={id}>
                <Link
                  prefetch={false}
                  href={detailHref(id)}
                  replace
                  scroll={false}
                  className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 px-3 py-2 text-sm hover:bg-sunken"
                >
                  <span className="truncate font-medium text-ink">{name}</span>
                  <span className="text-ink tabular-nums">{formatUsd(publicPriceUsdCents ?? 0)}</span>
                  <span className="col-span-2 text-muted text-xs">
                    DR <FigureValue text={formatFigure(dr)} origin={figureSources.dr} /> · Traffic{' '}
                    <FigureValue text={formatFigure(traffic)} origin={figureSources.traffic} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          <FigureLegend rows={[]} />
        </Section>
      ) : null}
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-2 text-ink text-sm">{title}</h3>
      {children}
    </section>
  );
}

function placementFacts(site: SiteDetail, guarantee: string | null, dayKind: DayKind): Fact[] {
  const { tatDays, fulfilledBy, words, follow, niche, country, language, postType, foreignPrice, usdCents } = site;
  const days = formatDays(tatDays);
  const price = formatUsd(usdCents);
  return [
    ['Price', foreignPrice ? `${price} (${formatMoney(foreignPrice.cents, foreignPrice.currency)})` : price],
    [
      `Turnaround (${dayKind} days)`,
      fulfilledBy ? `${days}, by ${fulfilledBy === 'publisher' ? 'the publisher' : fulfilledBy}` : days,
    ],
    ...(guarantee ? [['Guarantee', guarantee] satisfies Fact] : []),
    ['Type', postType],
    ['Link', follow ? 'DoFollow' : 'NoFollow'],
    ['Words', formatFigure(words)],
    ['Niche', niche],
    ['Country', country],
    ['Language', language],
  ];
}
