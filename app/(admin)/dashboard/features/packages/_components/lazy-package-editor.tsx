'use client';

import { lazyDialog } from '@/components/ui/lazy-dialog';

export const LazyPackageEditor = lazyDialog(() => import('./package-editor'));
