import type { Ownership } from '@/db/enums';

type OwnershipText = { label: string; explanation: string };

/** What buyers read about the owner of a site's domain. Names no one: who proved a domain is known to its seller and staff. */
export const ownershipTexts: Record<Ownership, OwnershipText> = {
  owner: { label: 'Verified owner', explanation: 'The seller has proved control of this domain.' },
  contributor: {
    label: 'Contributor',
    explanation: 'Another seller has proved this domain. This seller has not.',
  },
};

/** Returns the label of a state for staff; `none` for a domain that no seller proved. */
export const formatOwnership = (state: Ownership | 'none'): string =>
  state === 'none' ? 'Not proved' : ownershipTexts[state].label;
