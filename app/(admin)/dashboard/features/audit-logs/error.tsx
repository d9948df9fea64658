'use client';

import { ListFailure } from '@/components/table/list-failure';

export default function AuditLogsError(props: { error: unknown; retry: () => void }) {
  return <ListFailure {...props} text="Unable to load audit logs. You might not have permission." />;
}
