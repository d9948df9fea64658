import Link from 'next/link';

/** Name and e-mail of a person; the name opens their page. */
export function PersonName({ id, name, email }: { id: string; name: string; email: string }) {
  return (
    <span className="block min-w-0">
      <Link
        prefetch={false}
        href={`/dashboard/features/users/${id}`}
        title={name || email}
        className="block truncate rounded-sm font-medium text-ink hover:underline"
      >
        {name || email}
      </Link>
      {name ? <span className="block truncate text-muted text-xs">{email}</span> : null}
    </span>
  );
}
