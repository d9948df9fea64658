'use client';

import { lazyDialog } from '@/components/ui/lazy-dialog';

export const LazyEditSite = lazyDialog(() => import('./edit-site'));
