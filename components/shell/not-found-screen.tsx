'use client';

import { usePathname } from 'next/navigation';
import { buttonClass } from '@/components/ui/button';
import { portals } from '@/lib/auth/portals';
import { Brand, type BrandIdentity } from './brand';
import { isActive } from './nav';

/** Renders the page for a path that does not exist. A client component, because the server sends it with every page. */
export function NotFoundScreen({ brand }: { brand: BrandIdentity }) {
  const path = usePathname();
  const portal = Object.values(portals).find(({ home }) => isActive(path, home));
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-10 px-6 text-center">
      <Brand brand={brand} />
      <div>
        <p className="font-medium text-accent-ink text-sm">404</p>
        <h1 className="mt-2 text-2xl text-ink">This page does not exist</h1>
        <p className="mt-2 max-w-sm text-balance text-muted">The address may be mistyped, or the page has moved.</p>
      </div>
      {/* A plain link, because next/link would add its script to every page. */}
      <a href={portal?.home ?? '/'} className={buttonClass({ variant: 'primary' })}>
        {portal ? 'Go to the dashboard' : 'Go to home'}
      </a>
    </main>
  );
}
