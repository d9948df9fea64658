'use client';

import { ListFailure } from '@/components/table/list-failure';

export default function UsersError(props: { error: unknown; retry: () => void }) {
  return <ListFailure {...props} text="Failed to load users (HTTP 500)" />;
}
