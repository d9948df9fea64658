/** Explains the marks of the figures in a list. */
export const FigureLegend = ({ hint = 'Open a site' }: { hint?: string }) => (
  <p className="px-3 py-2 text-muted text-xs">
    <span aria-hidden="true">* </span>
    Typed in, not measured. Gray: older than 90 days. {hint} to see the source and day of each figure.
  </p>
);
