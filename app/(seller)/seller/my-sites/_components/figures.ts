const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** A figure with at most 2 decimals (spec 000, section 2); a dash where nobody said. */
export function figure(value: number | null, unit = ''): string {
  return value === null ? '–' : `${number.format(value)}${unit}`;
}
