import { Badge } from '../ui/badge';
import type { Tone } from '../ui/tone';

/** Approved is green, Rejected red, any other status grey. A missing status is Pending. */
export function SiteStatusBadge({ status }: { status: string | null }) {
  const shown = status || 'Pending';
  const tone: Tone = shown === 'Approved' ? 'green' : shown === 'Rejected' ? 'red' : 'grey';
  return <Badge tone={tone}>{shown}</Badge>;
}
