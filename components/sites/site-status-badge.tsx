import { Badge } from '../ui/badge';
import type { Tone } from '../ui/tone';

/** Approved green, Rejected red, anything else grey; a missing status is Pending (spec 000, section 4). */
export function SiteStatusBadge({ status }: { status: string | null }) {
  const shown = status || 'Pending';
  const tone: Tone = shown === 'Approved' ? 'green' : shown === 'Rejected' ? 'red' : 'grey';
  return <Badge tone={tone}>{shown}</Badge>;
}
