import { Badge } from '@/components/ui/badge';

/** @param text comma-separated keywords */
export function KeywordBadges({ text, className = '' }: { text: string; className?: string }) {
  return (
    <ul aria-label="Keywords" className={`wrap-anywhere flex flex-wrap gap-1 ${className}`}>
      {[...new Set(text.split(',').map((keyword) => keyword.trim()))].map((keyword) => (
        <li key={keyword} className="min-w-0 max-w-full">
          <Badge className="h-auto min-h-5 max-w-full whitespace-normal rounded-[0.625rem]">
            <span className="line-clamp-2" title={keyword}>
              {keyword}
            </span>
          </Badge>
        </li>
      ))}
    </ul>
  );
}
