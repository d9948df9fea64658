import type { Branding } from '@/lib/settings/branding/branding';
import { cn } from '../ui/cn';

/** Two links of a chain, in the accent. Drawn by ui.css: every page carries the mark three times or four. */
export function BrandMark({ className = 'size-7' }: { className?: string }) {
  return <span aria-hidden="true" className={cn('brand-mark', className)} />;
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
