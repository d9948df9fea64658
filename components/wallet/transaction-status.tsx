import { Badge } from '../ui/badge';
import type { Tone } from '../ui/tone';

/** Completed is green, Pending yellow, any other status grey. A missing status is Completed. */
const tones: Readonly<Record<string, Tone>> = { Completed: 'green', Pending: 'yellow' };

export function TransactionStatus({ status }: { status?: string | null }) {
  const shown = status || 'Completed';
  return <Badge tone={tones[shown] ?? 'grey'}>{shown}</Badge>;
}
