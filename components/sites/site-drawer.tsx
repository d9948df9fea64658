'use client';

import dynamic from 'next/dynamic';
import { retryChunk } from '@/components/ui/retry-chunk';
import type { SiteDrawerProps } from './site-drawer-panel';

/** Loaded with the first opening: the list is used without it more often. */
const SiteDrawerPanel = dynamic(
  retryChunk(() => import('./site-drawer-panel').then((module) => module.SiteDrawerPanel)),
  { ssr: false },
);

/** The drawer of a listed site, which the URL names. */
export const SiteDrawer = (props: SiteDrawerProps) => <SiteDrawerPanel {...props} />;
