'use client';

import { ListFailure } from '@/components/table/list-failure';

export default function WalletManagerError(props: { error: unknown; retry: () => void }) {
  return <ListFailure {...props} text="Failed to load wallet data." />;
}
