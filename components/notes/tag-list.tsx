import { Badge } from '@/components/ui/badge';

/** Renders the tags of a row of a list. */
export function TagList({ tags, className = 'mt-1' }: { tags: readonly string[]; className?: string }) {
  if (tags.length === 0) return null;
  return (
    <span className={`flex flex-wrap gap-1 ${className}`}>
      {tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
    </span>
  );
}

/**
 * Returns the filter of a list by tag; none while no record has a tag.
 * @param known the tags of the records
 * @param current the tag that the list is filtered by, which records need not have any more
 */
export function listTagFilter(known: readonly string[], current: string | undefined) {
  const options = [...new Set([...known, ...(current ? [current] : [])])];
  return options.length > 0 ? [{ param: 'tag', label: 'Tag', allLabel: 'All tags', options }] : [];
}
