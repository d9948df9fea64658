'use client';

import { usePathname } from 'next/navigation';
import { PageHeader } from '@/components/ui/page-header';
import { TableSkeleton } from '@/components/ui/skeleton';
import { findCurrent, type Screen } from './nav';

/** Renders the placeholder of a screen that loads: the header that the navigation declares, above a table. */
export function ScreenLoading({ screens }: { screens: readonly Screen[] }) {
  const screen: Partial<Screen> = findCurrent(usePathname(), screens) ?? {};
  const { label = '', title = label, description, loading } = screen;
  return (
    <>
      <PageHeader title={title} description={description} />
      {loading ? (
        <p role="status" className="mb-3 h-8 text-muted text-sm leading-8">
          {loading}
        </p>
      ) : null}
      <TableSkeleton label={`Loading ${label}`} />
    </>
  );
}
