import { Badge } from '@/components/ui/badge';
import { describePause } from './pause-words';

type PauseBadgeProps = {
  /** Null for a site that is not paused. */
  pause: { until: Date | string | null } | null;
};

/** Renders that the seller of a site takes no orders at present; nothing for a site that is not paused. */
export const PauseBadge = ({ pause }: PauseBadgeProps) =>
  pause ? <Badge tone="yellow">{describePause('Paused', pause)}</Badge> : null;
