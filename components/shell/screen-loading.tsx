'use client';

import { usePathname } from 'next/navigation';
import { PageHeader } from '@/components/ui/page-header';
import { TableSkeleton } from '@/components/ui/skeleton';
import { findCurrent, type Screen } from './nav';

/** Renders the placeholder of a screen that loads: the header that the navigation declares, above a table. */
export function ScreenLoading({ screens }: { screens: readonly Screen[] }) {
  const screen: Partial<Screen> = findCurrent(usePathname(), screens) ?? {};
  const { label = '', title = label, description } = screen;
  return (
    <>
      <PageHeader title={title} description={description} />
      <TableSkeleton label={`Loading ${label}`} />
    </>
  );
}
