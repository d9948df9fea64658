import { Badge } from '@/components/ui/badge';

/** In a row of a list, so that many keywords do not make it high. */
const shortCount = 5;

type KeywordBadgesProps = {
  /** Comma-separated keywords. */
  text: string;
  /** Shows the first keywords, and the others when the user opens them. */
  isShort?: boolean;
  className?: string;
};

export function KeywordBadges({ text, isShort = false, className = '' }: KeywordBadgesProps) {
  const keywords = [...new Set(text.split(',').map((keyword) => keyword.trim()))];
  // One more takes as much room as the number of the others.
  const isCut = isShort && keywords.length > shortCount + 1;
  const rest = isCut ? keywords.slice(shortCount) : [];
  return (
    <div className={className}>
      <Badges keywords={isCut ? keywords.slice(0, shortCount) : keywords} label="Keywords" />
      {rest.length > 0 ? (
        <details className="group mt-1">
          <summary className="min-h-6 w-fit rounded-sm text-accent-ink text-xs leading-6 hover:underline">
            <span className="group-open:hidden">{`${rest.length} more`}</span>
            <span className="hidden group-open:inline">Show fewer</span>
          </summary>
          <Badges keywords={rest} label="More keywords" />
        </details>
      ) : null}
    </div>
  );
}

function Badges({ keywords, label }: { keywords: readonly string[]; label: string }) {
  return (
    <ul aria-label={label} className="wrap-anywhere flex flex-wrap gap-1">
      {keywords.map((keyword) => (
        <li key={keyword} className="min-w-0 max-w-full">
          <Badge className="h-auto min-h-5 max-w-full whitespace-normal rounded-[0.625rem]">
            <span className="line-clamp-2">{keyword}</span>
          </Badge>
        </li>
      ))}
    </ul>
  );
}
