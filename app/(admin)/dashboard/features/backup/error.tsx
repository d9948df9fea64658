'use client';

import { ListFailure } from '@/components/table/list-failure';

export default function BackupError(props: { error: unknown; retry: () => void }) {
  return <ListFailure {...props} text="The backups could not be loaded." />;
}
