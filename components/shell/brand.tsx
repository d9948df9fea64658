import { cn } from '../ui/cn';

/** Two links of a chain, in the accent. */
export function BrandMark({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={cn('shrink-0', className)}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <g fill="none" strokeWidth="2.75" className="stroke-on-accent" transform="rotate(-45 16 16)">
        <path d="M14.2 11.4H9.6a4.6 4.6 0 0 0 0 9.2h4.6a4.6 4.6 0 0 0 4.6-4.6" strokeLinecap="round" />
        <path d="M17.8 20.6h4.6a4.6 4.6 0 0 0 0-9.2h-4.6a4.6 4.6 0 0 0-4.6 4.6" strokeLinecap="round" />
      </g>
    </svg>
  );
}

/** The mark with the product's name. */
export function Brand({ name = 'LinkMarket', className }: { name?: string; className?: string }) {
  return (
    <span className={cn('inline-flex items-center gap-2.5 font-medium text-base text-ink tracking-tight', className)}>
      <BrandMark />
      {name}
    </span>
  );
}
