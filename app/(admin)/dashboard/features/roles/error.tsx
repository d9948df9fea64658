'use client';

import { ListFailure } from '@/components/table/list-failure';

export default function RolesError(props: { error: unknown; retry: () => void }) {
  return <ListFailure {...props} text="Failed to load roles (HTTP 500)" />;
}
