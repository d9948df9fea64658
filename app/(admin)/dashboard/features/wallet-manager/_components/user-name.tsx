/** Whose wallet it is: the name, and the e-mail below it. */
export function UserName({ name, email }: { name: string; email: string }) {
  return (
    <span className="block min-w-0">
      <span className="block truncate text-ink">{name || email}</span>
      {name ? <span className="block truncate text-muted text-xs">{email}</span> : null}
    </span>
  );
}
