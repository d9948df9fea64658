import { shiftMonth } from '@/lib/dashboard/tax-reports/periods';
import { nameCountry as nameOf } from '@/lib/taxonomy/name-country';

export const reportsPath = '/dashboard/features/tax-reports';
export const documentsPath = `${reportsPath}/documents`;

const shownMonths = 36;

/** Returns the months that the selects of a period offer, the newest first. */
export const monthOptions = (newest: string): string[] =>
  Array.from({ length: shownMonths }, (_, back) => shiftMonth(newest, -back));

/** Names a country; a line without one has no tax. */
export const nameCountry = (country: string): string => (country === '' ? 'None' : nameOf(country));

/** The categories of UNCL 5305 in words. */
export const categoryNames = {
  S: 'Taxed',
  Z: 'Zero rate',
  E: 'Exempt',
  AE: 'Reverse charge',
  O: 'Outside the scope',
} as const;
