'use client';

import { lazyDialog } from '@/components/ui/lazy-dialog';

export const LazySiteEditor = lazyDialog(() => import('./site-editor'));
