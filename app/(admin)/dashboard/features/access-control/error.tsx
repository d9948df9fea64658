'use client';

import { ListFailure } from '@/components/table/list-failure';

export default function AccessControlError(props: { error: unknown; retry: () => void }) {
  return <ListFailure {...props} text="Failed to load access control (HTTP 500)" />;
}
