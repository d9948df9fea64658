import { countries } from '@/lib/taxonomy/countries';

/** The number of rows of the benchmarked file. */
export const importRows = 100_000;

const header = [
  ...['Site URL', 'Site Name', 'DR', 'DA', 'Traffic', 'SS', 'Category', 'Country', 'Language', 'TAT'],
  ...['Base Price', 'Public Price', 'Status'],
].join(',');

/**
 * A file as agencies export it: quotes, thousands separators, percent and dollar signs. Every site is approved and has
 * a public price, so that each row is added to every index of the table.
 */
export function importFile(): string {
  const lines = Array.from({ length: importRows }, (_, at) =>
    [
      `https://www.import-${at}.example/`,
      `"Import garden, no. ${at}"`,
      at % 101,
      (at * 7) % 101,
      `"${(1_000 + ((at * 7_919) % 900_000)).toLocaleString('en-US')}"`,
      `${at % 30} %`,
      `Topic ${at % 40}`,
      countries[at % 60],
      'English',
      `${(at % 9) + 1} days`,
      `$${((at * 31) % 500) + 1}.50`,
      `$${((at * 31) % 500) + 21}.50`,
      'Approved',
    ].join(','),
  );
  return `${header}\r\n${lines.join('\r\n')}\r\n`;
}
