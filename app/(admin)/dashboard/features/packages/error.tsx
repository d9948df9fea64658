'use client';

import { ListFailure } from '@/components/table/list-failure';

export default function PackagesError(props: { error: unknown; retry: () => void }) {
  return <ListFailure {...props} text="Failed to load packages (HTTP 500)" />;
}
