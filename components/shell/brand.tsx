import type { Branding } from '@/lib/settings/branding';
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

/** What a frame shows of the installation. */
export type BrandLook = Pick<Branding, 'siteName' | 'logo'>;

/** The logo, or without one the mark, with the product's name. */
export function Brand({ brand, className }: { brand: BrandLook; className?: string }) {
  return (
    <span
      className={cn(
        'inline-flex min-w-0 items-center gap-2.5 font-medium text-base text-ink tracking-tight',
        className,
      )}
    >
      {brand.logo ? (
        // Of any proportion: as high as the mark, and never so wide that the name has no room.
        <picture className="shrink-0">
          <img
            src={brand.logo.path}
            width={brand.logo.width}
            height={brand.logo.height}
            alt=""
            className="h-7 w-auto max-w-28 object-contain"
          />
        </picture>
      ) : (
        <BrandMark />
      )}
      <span className="truncate">{brand.siteName}</span>
    </span>
  );
}
