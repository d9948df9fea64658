import type { ImportField } from './header-names';
import { staffFields } from './header-names';
import type { ImportAudience } from './map-header';

/** What the mapping of columns calls each field, in the order it offers them. */
const labels: Record<ImportField, string> = {
  url: 'URL',
  name: 'Name',
  niche: 'Niche',
  postType: 'Post type',
  country: 'Country',
  language: 'Language',
  followType: 'Follow type',
  dr: 'DR',
  da: 'DA',
  authorityScore: 'Authority score',
  spam: 'Spam score',
  traffic: 'Traffic',
  keywordsCount: 'Keywords',
  refDomains: 'Referring domains',
  words: 'Words',
  tat: 'Turnaround',
  sellerPrice: 'Price',
  adminPrice: 'Admin price',
  publicPrice: 'Public price',
  currency: 'Currency',
  status: 'Status',
};

/** The fields a file of this audience can fill. */
export function importFields(audience: ImportAudience): { field: string; label: string }[] {
  const closed: readonly string[] = audience === 'seller' ? staffFields : [];
  return Object.entries(labels).flatMap(([field, label]) => (closed.includes(field) ? [] : [{ field, label }]));
}
