import type { Tone } from '@/components/ui/badge';
import type { LinkedState, LinkSource } from '@/db/schema/project-domains';
import type { LinkFileFormat } from '@/lib/projects/linked-domains/contract';

export const sourceNames: Record<LinkSource, string> = {
  gsc: 'Search Console',
  ahrefs: 'Ahrefs',
  semrush: 'Semrush',
  majestic: 'Majestic',
  moz: 'Moz',
  list: 'Your list',
};

export const stateNames: Record<LinkedState, readonly [name: string, tone: Tone]> = {
  live: ['Links now', 'green'],
  lost: ['Linked before', 'red'],
  unknown: ['Not stated', 'grey'],
};

export const formatNames: Record<LinkFileFormat, string> = {
  gsc_sites: 'Search Console, Top linking sites',
  gsc_links: 'Search Console, Latest links',
  ahrefs_backlinks: 'Ahrefs, Backlinks',
  ahrefs_domains: 'Ahrefs, Referring domains',
  ahrefs_anchors: 'Ahrefs, Anchors',
  semrush_backlinks: 'Semrush, Backlinks',
  semrush_domains: 'Semrush, Referring domains',
  majestic: 'Majestic, Backlinks',
  moz: 'Moz, Inbound links',
  list: 'A list of domains',
};
