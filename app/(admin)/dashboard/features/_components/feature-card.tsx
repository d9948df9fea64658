import type { HighlightView } from '@/lib/settings/signup-highlights/queries';
import { FeatureActions } from './feature-actions';

export function FeatureCard({ feature }: { feature: HighlightView }) {
  return (
    <div className="flex items-start justify-between gap-3">
      <div className="wrap-anywhere min-w-0 text-sm">
        <p className="font-medium text-ink">{feature.name}</p>
        {feature.description ? <p className="mt-0.5 text-muted">{feature.description}</p> : null}
      </div>
      <FeatureActions feature={feature} />
    </div>
  );
}
