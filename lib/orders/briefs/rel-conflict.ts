/**
 * Checks whether a brief asks for a link that its site does not publish: Dofollow on a NoFollow site. The other attributes
 * can be set on every site.
 */
export const hasRelConflict = (rel: string, { follow }: { follow: boolean }): boolean => rel === 'dofollow' && !follow;

/**
 * Warns about sites that do not publish the Dofollow link of their brief; null without any. It is no error: a buyer can
 * want the site all the same.
 */
export function formatRelConflict(sites: readonly string[]): string | null {
  const [first] = sites;
  if (first === undefined) return null;
  const names =
    sites.length <= maxNamed
      ? sites.join(', ')
      : `${sites.slice(0, maxNamed).join(', ')} and ${sites.length - maxNamed} more`;
  const publish = sites.length === 1 ? 'publishes' : 'publish';
  return `${names} ${publish} NoFollow links only, but the brief asks for Dofollow. The order can be placed, and the link will be NoFollow.`;
}

const maxNamed = 3;
