'use client';

import { lazyDialog } from '@/components/ui/lazy-dialog';

export const LazyRoleEditor = lazyDialog(() => import('./role-editor'));
