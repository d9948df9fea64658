import { Badge } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import type { OwnershipMethod } from '@/db/schema/ownership-proofs';
import type { OwnershipProof } from '@/lib/sites/ownership/show';
import { ownershipTexts } from './ownership-texts';

export const methodNames: Record<OwnershipMethod, string> = {
  dns: 'DNS record',
  file: 'File',
  meta: 'Meta tag',
  adsTxt: 'ads.txt',
};

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
export const formatProofDay = (at: Date): string => day.format(at);

/** Returns the method of a proof and the day since which it holds: "DNS record, since Nov 3, 2026". */
export const describeProof = ({ method, verifiedAt }: OwnershipProof): string =>
  [method ? methodNames[method] : '', verifiedAt ? `since ${formatProofDay(verifiedAt)}` : '']
    .filter(Boolean)
    .join(', ');

/** Renders whether a seller proved a domain; nothing without a proof. A failing proof warns. */
export function ProofBadge({ proof }: { proof: OwnershipProof | null }) {
  if (!proof?.verifiedAt) return null;
  const isFailing = proof.countsUntil !== null;
  const icon = isFailing ? 'triangle-alert' : 'badge-check';
  return (
    <Badge tone={isFailing ? 'yellow' : 'green'}>
      <Icon name={icon} className="size-3.5" />
      {isFailing ? 'Proof failing' : ownershipTexts.owner.label}
    </Badge>
  );
}
