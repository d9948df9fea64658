import type { AdminSiteView } from '@/lib/sites/views';

const prices = ['price', 'adminPrice', 'publicPrice'];

/** A field of the form as it is filled from a site; prices with two decimals. */
export function fieldText(site: AdminSiteView, name: string): string {
  const value: unknown = Object.entries(site).find(([key]) => key === name)?.[1];
  if (typeof value === 'number' && prices.includes(name)) return value.toFixed(2);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/**
 * What somebody really edited: only that is sent, so that a field they did not touch keeps what somebody else may have
 * made of it in the meantime.
 * @param base what the form was filled from
 */
export function editedFields(data: FormData, base: AdminSiteView): Record<string, FormDataEntryValue> {
  return Object.fromEntries([...data].filter(([name, value]) => value !== fieldText(base, name)));
}
