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
