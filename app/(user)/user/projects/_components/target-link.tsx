/** Where a project's links lead, in a new tab that cannot reach back. */
export function TargetLink({ url, className = '' }: { url: string; className?: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      title={url}
      className={`block max-w-full truncate rounded-sm text-accent-ink hover:underline ${className}`}
    >
      {url.replace(/^https?:\/\//, '').replace(/\/$/, '')}
    </a>
  );
}
