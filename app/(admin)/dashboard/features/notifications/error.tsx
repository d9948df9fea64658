'use client';

import { ListFailure } from '@/components/table/list-failure';

export default function NotificationsError(props: { error: unknown; retry: () => void }) {
  return <ListFailure {...props} text="Failed to load the notifications" />;
}
