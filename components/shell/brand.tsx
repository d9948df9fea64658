import { cn } from '@/components/ui/cn';
import type { Branding } from '@/lib/settings/branding/branding';

/** Renders the mark: two chain links in the accent colour. ui.css draws it, because every page has it several times. */
export function BrandMark({ className = 'size-7' }: { className?: string }) {
  return <span aria-hidden="true" className={cn('brand-mark', className)} />;
}

/** The branding that a frame shows. */
export type BrandIdentity = Pick<Branding, 'siteName' | 'logo'>;

/**
 * Renders the logo, or the default mark. A logo can have any proportion: its width is limited, to leave room beside it,
 * and in a rail of icons it fits into the square of the mark.
 */
function BrandLogo({ logo }: Pick<Branding, 'logo'>) {
  if (!logo) return <BrandMark />;
  return (
    <picture className="shrink-0">
      <img
        src={logo.path}
        width={logo.width}
        height={logo.height}
        alt=""
        className="h-7 w-auto max-w-28 object-contain md:in-[[data-rail]]:w-7"
      />
    </picture>
  );
}

/** Renders the logo, or the default mark, with the product's name. */
export function Brand({ brand, className }: { brand: BrandIdentity; className?: string }) {
  return (
    <span
      className={cn(
        'inline-flex min-w-0 items-center gap-2.5 font-medium text-base text-ink tracking-tight',
        className,
      )}
    >
      <BrandLogo logo={brand.logo} />
      <span className="truncate">{brand.siteName}</span>
    </span>
  );
}
