import type { AnchorKind } from '@/db/enums';
import { getSiteDomain } from '@/lib/network/registrable-domain';
import type { ProjectRow } from '@/lib/projects/contract';
import type { AnchorSubject } from './classify-anchor';

type Project = Pick<ProjectRow, 'domain' | 'keywords' | 'targetUrl'>;

/** Returns what the anchors of a project are compared with. The name in its domain is a brand word. */
export const getAnchorSubject = (
  { domain, keywords }: Omit<Project, 'targetUrl'>,
  brandWords: readonly string[],
): AnchorSubject => ({
  domain,
  brandWords: [...brandWords, getDomainName(domain)],
  keywords: listKeywords(keywords),
});

const listKeywords = (keywords: string) => keywords.split(', ').filter((keyword) => keyword !== '');

/** Returns the label that was registered, in its own letters: of "shop.example.co.uk", "example". */
function getDomainName(domain: string): string {
  const labels = getSiteDomain(`http://${domain}`).split('.').length;
  return domain.split('.').slice(-labels)[0] ?? domain;
}

/** Returns the texts that are proposed for a kind without texts in the pool. */
export function listOwnTexts(
  { domain, targetUrl, keywords }: Project,
  brandWords: readonly string[],
): Partial<Record<AnchorKind, readonly string[]>> {
  const name = getDomainName(domain)
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ');
  return {
    brand: brandWords.length > 0 ? brandWords : [name],
    address: [domain, targetUrl],
    exact: listKeywords(keywords),
  };
}
