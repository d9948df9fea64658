import { Badge } from '@/components/ui/badge';
import { TimeAgo } from '@/components/ui/time-ago';
import type { ApiKeyView } from '@/lib/settings/api-keys/queries';
import { KeyActions } from './key-actions';
import { MaskedKey } from './masked-key';

export function KeyCard({ apiKey }: { apiKey: ApiKeyView }) {
  const { name, provider, lastFour, keySetAt, isInUse } = apiKey;
  return (
    <div className="flex items-start justify-between gap-3">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="wrap-anywhere font-medium text-ink">{name}</span>
          {isInUse ? <Badge tone="green">In use</Badge> : null}
        </p>
        <p className="text-muted text-sm">
          {provider} · <MaskedKey lastFour={lastFour} />
        </p>
        <TimeAgo at={keySetAt} className="text-subtle text-xs" />
      </div>
      <KeyActions apiKey={apiKey} />
    </div>
  );
}
