'use client';

import { ListFailure } from '@/components/table/list-failure';

export default function ApprovalsError(props: { error: unknown; retry: () => void }) {
  return <ListFailure {...props} text="Failed to load approvals." />;
}
