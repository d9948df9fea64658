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
export function fieldText(site: AdminSiteView, name: string): string {
  const value: unknown = Object.entries(site).find(([key]) => key === name)?.[1];
  if (typeof value === 'number' && prices.includes(name)) return value.toFixed(2);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
