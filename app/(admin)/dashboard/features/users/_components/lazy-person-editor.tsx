'use client';

import { lazyDialog } from '@/components/ui/lazy-dialog';

export const LazyPersonEditor = lazyDialog(() => import('./person-editor'));
