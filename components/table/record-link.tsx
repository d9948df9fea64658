import Link from 'next/link';

type RecordLinkProps = {
  name: string;
  /** Where its dialog is. */
  href: string;
  /** What it is called where the name alone does not tell it from others. */
  fullName?: string;
};

/** A record's name in its list, which opens its editor. */
export function RecordLink({ name, href, fullName = name }: RecordLinkProps) {
  return (
    <Link
      prefetch={false}
      href={href}
      scroll={false}
      title={name}
      aria-label={`Edit ${fullName}`}
      className="block truncate rounded-sm font-medium text-ink hover:underline"
    >
      {name}
    </Link>
  );
}
