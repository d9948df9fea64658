import type { Column } from '@/components/table/data-table';
import { Badge } from '@/components/ui/badge';
import { TimeAgo } from '@/components/ui/time-ago';
import type { ApiKeyView } from '@/lib/settings/api-keys/queries';
import { KeyActions } from './key-actions';
import { MaskedKey } from './masked-key';

export const keyColumns: Column<ApiKeyView>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ name, isInUse }) => (
      <span className="flex flex-wrap items-center gap-2">
        <span className="wrap-anywhere font-medium text-ink">{name}</span>
        {isInUse ? <Badge tone="green">In use</Badge> : null}
      </span>
    ),
  },
  { key: 'provider', header: 'Provider', cell: ({ provider }) => provider },
  { key: 'key', header: 'Key', cell: ({ lastFour }) => <MaskedKey lastFour={lastFour} /> },
  { key: 'since', header: 'Stored', cell: ({ keySetAt }) => <TimeAgo at={keySetAt} className="text-muted" /> },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    align: 'right',
    cell: (apiKey) => <KeyActions apiKey={apiKey} />,
  },
];
