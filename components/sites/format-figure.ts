const figure = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** A figure with at most two decimals (spec 000, section 2; spec 001, section 9); a dash where nobody said. */
export function formatFigure(value: number | null, unit = ''): string {
  return value === null ? '–' : `${figure.format(value)}${unit}`;
}
