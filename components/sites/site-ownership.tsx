import { Badge } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import type { Ownership } from '@/db/enums';
import { ownershipTexts } from './ownership-texts';

/** Says whether the seller proved the domain of a site, with an explanation. Renders nothing if no seller did. */
export function SiteOwnership({ ownership }: { ownership: Ownership | null }) {
  if (!ownership) return null;
  const { label, explanation } = ownershipTexts[ownership];
  return (
    <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted text-sm">
      <Badge tone={ownership === 'owner' ? 'green' : 'neutral'}>
        {ownership === 'owner' ? <Icon name="badge-check" className="size-3.5" /> : null}
        {label}
      </Badge>
      {explanation}
    </p>
  );
}
