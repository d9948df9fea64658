'use client';

import dynamic from 'next/dynamic';
import { retryChunk } from '@/components/ui/retry-chunk';

/** Loaded after the page, which works without it. */
export const AccountWatch = dynamic(
  retryChunk(() => import('./account-watch').then((module) => module.AccountWatch)),
  { ssr: false },
);
