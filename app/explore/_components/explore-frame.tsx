import type { ReactNode } from 'react';
import { Brand } from '@/components/shell/brand';
import { SkipLink } from '@/components/shell/skip-link';
import { ThemeToggle } from '@/components/shell/theme-toggle';
import { ButtonLink } from '@/components/ui/button';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { isFlagOn } from '@/lib/settings/feature-flags';

type ExploreFrameProps = { title: string; description: string; children: ReactNode };

/** Renders the layout of the public catalog, with the ways to an account. */
export async function ExploreFrame({ title, description, children }: ExploreFrameProps) {
  const [brand, takesNew] = await Promise.all([getBranding(), isFlagOn('registration')]);
  return (
    <div className="min-h-dvh bg-canvas px-4 py-5 sm:px-10">
      <SkipLink />
      <header className="mx-auto flex max-w-5xl flex-wrap items-center justify-between gap-3">
        <Brand brand={brand} />
        <div className="flex items-center gap-2">
          <ThemeToggle />
          <ButtonLink href="/user/login" size="sm">
            Sign in
          </ButtonLink>
          {takesNew ? (
            <ButtonLink href="/register" size="sm" variant="primary">
              Create account
            </ButtonLink>
          ) : null}
        </div>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto max-w-5xl py-8 outline-none sm:py-12">
        <h1 className="text-balance text-2xl text-ink sm:text-3xl">{title}</h1>
        <p className="mt-2 mb-8 max-w-2xl text-pretty text-muted">{description}</p>
        {children}
      </main>
    </div>
  );
}
