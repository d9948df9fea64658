import { Check } from 'lucide-react';
import { PanelHeadline } from './panel-headline';

type FeaturePanelProps = {
  siteName: string;
  tagline: string;
  features: readonly { id: string; name: string; description: string }[];
};

/** Beside the registration: what the marketplace offers, as its admins wrote it down. */
export function FeaturePanel({ siteName, tagline, features }: FeaturePanelProps) {
  return (
    <div className="grid gap-10">
      <PanelHeadline title={`What you get with ${siteName}`}>
        {tagline || 'All of it comes with an account.'}
      </PanelHeadline>
      <ul className="grid gap-6">
        {features.map(({ id, name, description }) => (
          <li key={id} className="flex gap-4">
            <span className="grid size-7 shrink-0 place-items-center rounded-lg border border-line bg-surface">
              <Check className="size-4 text-accent-ink" />
            </span>
            <div className="wrap-anywhere min-w-0">
              <p className="font-medium text-ink">{name}</p>
              {description ? <p className="mt-1 max-w-md text-muted">{description}</p> : null}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
