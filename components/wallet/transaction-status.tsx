import { Badge } from '../ui/badge';
import type { Tone } from '../ui/tone';

/** Spec 001, "Wallet screen details": Completed green, Pending yellow, any other grey; none counts as Completed. */
const tones: Readonly<Record<string, Tone>> = { Completed: 'green', Pending: 'yellow' };

export function TransactionStatus({ status }: { status?: string | null }) {
  const shown = status || 'Completed';
  return <Badge tone={tones[shown] ?? 'grey'}>{shown}</Badge>;
}
