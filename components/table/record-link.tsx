import Link from 'next/link';

type RecordLinkProps = {
  name: string;
  /** The URL of its dialog. */
  href: string;
  /** The accessible name, where `name` alone is ambiguous. */
  fullName?: string;
};

/** A record's name in its list. It links to its editor. */
export function RecordLink({ name, href, fullName = name }: RecordLinkProps) {
  return (
    <Link
      prefetch={false}
      href={href}
      scroll={false}
      aria-label={`Edit ${fullName}`}
      className="block truncate rounded-sm font-medium text-ink hover:underline"
    >
      {name}
    </Link>
  );
}
