'use client';

import { Tabs } from '@/components/ui/tabs';
import { useListUrl } from './use-list-url';

/** A tab for each post type. The first one has no URL parameter. */
export function PostTypeTabs({ names, current }: { names: readonly string[]; current: string | undefined }) {
  const { hrefWith } = useListUrl();
  return (
    <Tabs
      label="Post type"
      tabs={names.map((name, index) => ({
        label: name,
        current: name === current,
        href: hrefWith({ postType: index === 0 ? null : name }),
      }))}
    />
  );
}
