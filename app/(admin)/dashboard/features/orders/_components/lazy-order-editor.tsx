'use client';

import { lazyDialog } from '@/components/ui/lazy-dialog';

export const LazyOrderEditor = lazyDialog(() => import('./order-editor'));
