import { cn } from '@/components/ui/cn';

/** Returns the initials of a name or an email address: of its first and last word. */
function initials(name: string): string {
  const words = name.split(/[\s@._-]+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => word?.[0]?.toUpperCase() ?? '').join('');
}

type AvatarProps = {
  name: string;
  /** The hash of the signed-in user's own picture; pictures of other users are not served. */
  picture?: string | null;
  className?: string;
};

/** Renders the account's picture, or its initials. */
export function Avatar({ name, picture, className }: AvatarProps) {
  if (picture) {
    // The hash in the URL changes with the picture, so the URL can be cached.
    return (
      <picture className="shrink-0">
        <img
          src={`/api/profile/avatar?v=${picture.slice(0, 12)}`}
          alt=""
          className={cn('rounded-full bg-sunken object-cover', className)}
        />
      </picture>
    );
  }
  return (
    <span
      aria-hidden="true"
      className={cn(
        'grid shrink-0 place-items-center rounded-full bg-secondary font-medium text-on-secondary',
        className,
      )}
    >
      {initials(name)}
    </span>
  );
}
