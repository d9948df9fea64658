import { cn } from '../ui/cn';

/** The initials of a name or an address: of its first and last word. */
function initials(name: string): string {
  const words = name.split(/[\s@._-]+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => word?.[0]?.toUpperCase() ?? '').join('');
}

export function Avatar({ name, className }: { name: string; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        'grid shrink-0 place-items-center rounded-full bg-accent-soft font-medium text-accent-ink ring-1 ring-accent-line ring-inset',
        className,
      )}
    >
      {initials(name)}
    </span>
  );
}
