'use client';

import { lazy, Suspense } from 'react';
import { useHydrated } from '@/components/auth/use-hydrated';
import type { EditSiteProps } from './edit-site';

const EditSite = lazy(async () => {
  // The panel it opens in comes beside its own code, not after it.
  const [dialog] = await Promise.all([import('./edit-site'), import('@/components/ui/dialog-panel')]);
  return dialog;
});

/** The edit dialog, whose code only an address that names a site needs. Nothing on the server, as every dialog. */
export function LazyEditSite(props: EditSiteProps) {
  return useHydrated() ? (
    <Suspense>
      <EditSite {...props} />
    </Suspense>
  ) : null;
}
