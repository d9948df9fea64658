'use client';

import { lazyDialog } from '@/components/ui/lazy-dialog';

export const LazyManualTopUp = lazyDialog(() => import('./manual-top-up'));
