'use client';

import type { PageFailureProps } from '@/components/shell/page-failure';
import { ListFailure } from '@/components/table/list-failure';

export default function ProjectsError({ error, retry }: PageFailureProps) {
  return <ListFailure error={error} retry={retry} text="Failed to load" />;
}
