import Link from 'next/link';
import type { ReactNode } from 'react';
import { Brand, type BrandIdentity } from '@/components/shell/brand';
import { ThemeToggle } from '@/components/shell/theme-toggle';
import { cn } from '@/components/ui/cn';
import type { Branding } from '@/lib/settings/branding/branding';
import { type LegalVersions, legalPaths, legalTitles, listPublished } from '@/lib/settings/legal/legal';

export type AuthBrand = BrandIdentity & Pick<Branding, 'legal'>;

type AuthFrameProps = {
  brand: AuthBrand;
  title: ReactNode;
  /** The text below the title, e.g. "Admins only". */
  subtitle?: ReactNode;
  children: ReactNode;
  /** Links below the form. */
  footer?: ReactNode;
  /** For a page of text instead of a form. */
  isWide?: boolean;
  /** The right half from 1024 px on. Without it the form is a centred card. */
  panel?: ReactNode;
};

/**
 * Renders the frame of sign-in, registration and password screens. The form has a fixed top offset instead of being
 * centred vertically, so that a message in it shifts only what is below.
 */
export function AuthFrame({ brand, title, subtitle, children, footer, isWide = false, panel }: AuthFrameProps) {
  return (
    <div className={cn('grid min-h-dvh', panel ? 'bg-surface lg:grid-cols-2' : 'relative bg-canvas max-sm:bg-surface')}>
      {panel ? null : <Pattern className="max-sm:hidden" />}
      <div className="relative flex min-w-0 flex-col px-6 py-5 sm:px-10">
        <header className="flex items-center justify-between">
          <Link prefetch={false} href="/user/login" className="flex min-w-0 rounded-md">
            <Brand brand={brand} />
          </Link>
          <ThemeToggle />
        </header>
        <main
          className={cn(
            'mx-auto w-full py-10',
            isWide ? 'max-w-3xl' : 'max-w-sm',
            panel
              ? 'sm:pt-[12dvh]'
              : cn(
                  'sm:mb-10 sm:rounded-xl sm:border sm:border-line sm:bg-surface sm:p-10',
                  isWide ? 'sm:mt-6' : 'sm:mt-[10dvh] sm:max-w-116',
                ),
          )}
        >
          <h1 className="text-2xl text-ink">{title}</h1>
          {subtitle ? <p className="mt-1.5 text-muted">{subtitle}</p> : null}
          <div className="mt-8">{children}</div>
          {footer ? <div className="mt-8 text-muted text-sm">{footer}</div> : null}
          <LegalLinks legal={brand.legal} />
        </main>
      </div>
      {panel ? (
        <aside
          aria-label={`About ${brand.siteName}`}
          className="relative hidden overflow-hidden border-line border-l bg-canvas lg:block"
        >
          <Pattern />
          <div className="relative mx-auto w-full max-w-lg px-12 pt-[calc(12dvh+3.25rem)] pb-16">{panel}</div>
        </aside>
      ) : null}
    </div>
  );
}

/** Renders links to the operator's terms and privacy policy. Renders nothing while none is published. */
function LegalLinks({ legal }: { legal: LegalVersions }) {
  const kinds = listPublished(legal);
  if (kinds.length === 0) return null;
  return (
    <ul className="mt-8 flex flex-wrap gap-x-5 gap-y-2 text-muted text-xs">
      {kinds.map((kind) => (
        <li key={kind}>
          <Link prefetch={false} href={legalPaths[kind]} className="rounded-sm underline">
            {legalTitles[kind]}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Renders the background: a fine grid that fades towards the text, and a gradient of the two brand colours. */
function Pattern({ className }: { className?: string }) {
  return (
    <div aria-hidden="true" className={cn('absolute inset-0', className)}>
      <div className="absolute inset-0 bg-[linear-gradient(to_right,var(--line)_1px,transparent_1px),linear-gradient(to_bottom,var(--line)_1px,transparent_1px)] bg-size-[32px_32px] [mask-image:radial-gradient(ellipse_at_80%_10%,black,transparent_70%)]" />
      <div className="absolute inset-0 bg-[radial-gradient(ellipse_at_85%_0%,var(--accent-soft),transparent_60%)]" />
      <div className="absolute inset-0 bg-[radial-gradient(ellipse_at_100%_100%,var(--secondary),transparent_55%)] opacity-8" />
    </div>
  );
}

/** Renders the headline and text of the panel beside a sign-in form. */
export function PanelHeadline({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <p className="text-balance font-medium text-3xl text-ink tracking-tight">{title}</p>
      <p className="mt-3 max-w-md text-base text-muted">{children}</p>
    </div>
  );
}
