/** A user's name and email address. */
export function UserName({ name, email }: { name: string; email: string }) {
  return (
    <span className="block min-w-0">
      <span className="block truncate text-ink">{name || email}</span>
      {name ? <span className="block truncate text-muted text-xs">{email}</span> : null}
    </span>
  );
}
