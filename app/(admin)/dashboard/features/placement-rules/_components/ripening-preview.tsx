const steps = 24;

/** Shows how a seller's share of $100 becomes payable, with the values of the form. */
export function RipeningPreview({
  approvalPercent,
  guaranteeDays,
}: {
  approvalPercent: number;
  guaranteeDays: number;
}) {
  const isValid = [approvalPercent, guaranteeDays].every((value) => Number.isInteger(value) && value >= 0);
  if (!isValid || approvalPercent > 100) return null;
  const points = Array.from({ length: steps + 1 }, (_, step) => {
    const percent = guaranteeDays === 0 ? 100 : approvalPercent + ((100 - approvalPercent) * step) / steps;
    return { x: (100 * step) / steps, percent };
  });
  const line = points.map(({ x, percent }) => `${x},${100 - percent}`).join(' ');
  const half = guaranteeDays === 0 ? 100 : Math.floor(approvalPercent + (100 - approvalPercent) / 2);
  return (
    <figure className="sm:col-span-2">
      <p className="mb-2 text-muted text-xs">
        How a seller’s share of $100.00 becomes payable while the link is in order
      </p>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="h-28 w-full" aria-hidden="true">
        <polygon points={`0,100 ${line} 100,100`} className="fill-accent-soft" />
        <polyline points={line} className="fill-none stroke-accent" strokeWidth="2" vectorEffect="non-scaling-stroke" />
      </svg>
      <figcaption className="mt-1 flex justify-between gap-3 text-muted text-xs">
        <span>At the approval: ${approvalPercent.toFixed(2)}</span>
        <span className="max-sm:hidden">
          Day {Math.floor(guaranteeDays / 2)}: ${half.toFixed(2)}
        </span>
        <span>Day {guaranteeDays}: $100.00</span>
      </figcaption>
    </figure>
  );
}
