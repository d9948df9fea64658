'use client';

import { lazyDialog } from '@/components/ui/lazy-dialog';

export const LazyLicenseEditor = lazyDialog(() => import('./license-editor'));
