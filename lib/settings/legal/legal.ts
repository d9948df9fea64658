import { type LegalKind, legalKinds } from '@/db/enums';

/** The published version of each legal document; null for one that is not published. */
export type LegalVersions = Record<LegalKind, number | null>;

export const noLegalVersions: LegalVersions = { terms: null, privacy: null };

export const legalTitles: Record<LegalKind, string> = { terms: 'Terms of service', privacy: 'Privacy policy' };
export const legalPaths: Record<LegalKind, string> = { terms: '/terms', privacy: '/privacy' };

/** The documents with a published version. */
export const listPublished = (versions: LegalVersions): LegalKind[] =>
  legalKinds.filter((kind) => versions[kind] !== null);

/** The versions that a user agrees to with a registration or a sign-in. */
export type AgreedVersions = Partial<Record<LegalKind, number>>;

export function toAgreedVersions({ terms, privacy }: LegalVersions): AgreedVersions {
  return { ...(terms !== null && { terms }), ...(privacy !== null && { privacy }) };
}

export const maxLegalLength = 100_000;
