import type { FigureMetric, FigureSource } from '@/db/enums';

type SourceName = {
  /** The name of the source in lists and settings. */
  name: string;
  /** What is shown beside a figure of the source, in the words that its license requires. */
  attribution: string;
};

/** The sources of figures as screens name them. */
export const sourceNames: Record<FigureSource, SourceName> = {
  seller: { name: 'Seller', attribution: 'typed by the seller' },
  staff: { name: 'Our team', attribution: 'entered by our team' },
  // The wording is a condition of the free endpoint.
  ahrefs: { name: 'Ahrefs', attribution: 'Domain Rating by Ahrefs' },
  crux: { name: 'Chrome UX Report', attribution: 'Chrome UX Report' },
  common_crawl: { name: 'Common Crawl', attribution: 'Common Crawl' },
  majestic: { name: 'Majestic', attribution: 'Majestic' },
  search_console: { name: 'Google Search Console', attribution: 'Google Search Console' },
};

/** The metrics as screens name them. Ranks carry the name of their source, as no two services rank alike. */
export const metricNames: Record<FigureMetric, string> = {
  dr: 'DR',
  da: 'DA',
  as: 'AS',
  traffic: 'Traffic',
  keywords: 'Keywords',
  ref_domains: 'Ref. domains',
  spam: 'Spam',
  crux_rank: 'Popularity rank, Chrome UX Report',
  cc_rank: 'Link rank, Common Crawl',
  majestic_rank: 'Majestic rank',
  ref_subnets: 'Referring subnets, Majestic',
};

/** Formats the value of a metric: "1,234", "12%" of spam, and "top 10,000" of the Chrome UX Report, which ranks in steps. */
export function formatMetric(metric: FigureMetric, value: number): string {
  const text = value.toLocaleString('en-US');
  if (metric === 'crux_rank') return `top ${text}`;
  return metric === 'spam' ? `${text}%` : text;
}
