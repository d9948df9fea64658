import Link from 'next/link';
import type { ReactNode } from 'react';
import { Brand } from '@/components/shell/brand';
import { ThemeToggle } from '@/components/shell/theme-toggle';
import { currentActor } from '@/lib/auth/current-actor';
import { getBranding } from '@/lib/settings/branding/get-branding';

/** Renders the frame of the pages for developers, which need no session. */
export default async function DevelopersLayout({ children }: { children: ReactNode }) {
  const [brand, actor] = await Promise.all([getBranding(), currentActor()]);
  return (
    <div className="min-h-dvh bg-canvas">
      <header className="border-line border-b bg-canvas">
        <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-6 gap-y-1 px-4 py-3 sm:px-6">
          <Link prefetch={false} href="/developers" className="flex min-w-0 rounded-md">
            <Brand brand={brand} />
          </Link>
          <nav aria-label="Developers" className="order-last flex gap-1 max-sm:w-full sm:order-none">
            <HeaderLink href="/developers">Guide</HeaderLink>
            <HeaderLink href="/developers/reference">Reference</HeaderLink>
          </nav>
          <div className="ml-auto flex items-center gap-1">
            {actor ? null : <HeaderLink href="/user/login">Sign in</HeaderLink>}
            <ThemeToggle />
          </div>
        </div>
      </header>
      <main className="mx-auto max-w-6xl px-4 py-8 sm:px-6">{children}</main>
    </div>
  );
}

function HeaderLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link
      prefetch={false}
      href={href}
      className="rounded-md px-2 py-1 text-muted text-sm hover:bg-sunken hover:text-ink"
    >
      {children}
    </Link>
  );
}
