'use client';

import { ListFailure } from '@/components/table/list-failure';

export default function SettlementError(props: { error: unknown; retry: () => void }) {
  return <ListFailure {...props} text="Failed to load the settlement." />;
}
