import { cn } from '@/components/ui/cn';
import type { Branding } from '@/lib/settings/branding/branding';

/** Renders the mark: two chain links in the accent colour. ui.css draws it, because every page has it several times. */
export function BrandMark({ className = 'size-7' }: { className?: string }) {
  return <span aria-hidden="true" className={cn('brand-mark', className)} />;
}

/** The branding that a frame shows. */
export type BrandIdentity = Pick<Branding, 'siteName' | 'logo'>;

/** Renders the logo, or the default mark, with the product's name. */
export function Brand({ brand, className }: { brand: BrandIdentity; className?: string }) {
  return (
    <span
      className={cn(
        'inline-flex min-w-0 items-center gap-2.5 font-medium text-base text-ink tracking-tight',
        className,
      )}
    >
      {brand.logo ? (
        // A logo can have any proportion. It is as high as the mark, and its width is limited to leave room for the
        // name.
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
