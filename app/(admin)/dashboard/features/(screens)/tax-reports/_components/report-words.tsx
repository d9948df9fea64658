import { Alert } from '@/components/ui/alert';
import { shiftMonth } from '@/lib/dashboard/tax-reports/periods';
import { groupDigits } from '@/lib/money';
import { nameCountry as nameOf } from '@/lib/taxonomy/name-country';

export const reportsPath = '/dashboard/features/tax-reports';
export const documentsPath = `${reportsPath}/documents`;

const shownMonths = 36;

/** Returns the months that the selects of a period offer, the newest first. */
export const monthOptions = (newest: string): string[] =>
  Array.from({ length: shownMonths }, (_, back) => shiftMonth(newest, -back));

/** Names a country; a line without one has no tax. */
export const nameCountry = (country: string): string => (country === '' ? 'None' : nameOf(country));

/** Formats a rate in hundredths of a percent: "19%". */
export const showRate = (rate: number): string => `${groupDigits(rate / 100)}%`;

/** The categories of UNCL 5305 in words. */
export const categoryNames = {
  S: 'Taxed',
  Z: 'Zero rate',
  E: 'Exempt',
  AE: 'Reverse charge',
  O: 'Outside the scope',
} as const;

/** Names the values of the address that are not valid and were left out. */
export function IgnoredValues({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <Alert tone="error" className="mb-4">
      {names.length === 1 ? 'This value was' : 'These values were'} ignored: {names.join(', ')}.
    </Alert>
  );
}
