import { cn } from '../ui/cn';

/** The initials of a name or an address: of its first and last word. */
function initials(name: string): string {
  const words = name.split(/[\s@._-]+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => word?.[0]?.toUpperCase() ?? '').join('');
}

type AvatarProps = {
  name: string;
  /** The hash of the signed-in person's own picture; nobody else's is served. */
  picture?: string | null;
  className?: string;
};

/** Whose account it is: their picture, or their initials. */
export function Avatar({ name, picture, className }: AvatarProps) {
  const frame = 'shrink-0 rounded-full bg-accent-soft ring-1 ring-accent-line ring-inset';
  if (picture) {
    // The hash makes a new picture a new address.
    return (
      <img
        src={`/api/profile/avatar?v=${picture.slice(0, 12)}`}
        alt=""
        className={cn(frame, 'object-cover', className)}
      />
    );
  }
  return (
    <span aria-hidden="true" className={cn(frame, 'grid place-items-center font-medium text-accent-ink', className)}>
      {initials(name)}
    </span>
  );
}
