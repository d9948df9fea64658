import { fieldText } from '@/components/form/entity-dialog';
import type { AdminSiteView } from '@/lib/sites/views';

/** The fields of the form. */
export const fieldNames = {
  name: 'Name',
  url: 'URL',
  status: 'Status',
  userId: 'Owner',
  niche: 'Niche',
  postType: 'Post type',
  country: 'Country',
  language: 'Language',
  followType: 'Follow type',
  dr: 'DR',
  da: 'DA',
  as: 'Authority score',
  spam: 'Spam score',
  traffic: 'Traffic',
  keywords: 'Keywords',
  ref_domains: 'Referring domains',
  words: 'Words',
  tat: 'Turnaround',
  price: 'Seller price',
  adminPrice: 'Admin price',
  publicPrice: 'Public price',
  publicCurrency: 'Currency',
} satisfies Partial<Record<keyof AdminSiteView, string>>;

const prices = ['price', 'adminPrice', 'publicPrice'];

/** A field of the form as it is filled from a site; prices with two decimals. */
export function siteFieldText(site: AdminSiteView, name: string): string {
  const text = fieldText(site, name);
  return text !== '' && prices.includes(name) ? Number(text).toFixed(2) : text;
}
