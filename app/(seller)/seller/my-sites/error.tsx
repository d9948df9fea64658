'use client';

import { ListFailure } from '@/components/table/list-failure';

export default function MySitesError({ error, retry }: { error: Error; retry: () => void }) {
  return <ListFailure error={error} retry={retry} text="Failed to load your sites." />;
}
