/** A link to a project's target, in a new tab without access to this one. */
export function TargetLink({ url, className = '' }: { url: string; className?: string }) {
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      data-tooltip={url}
      className={`block max-w-full truncate rounded-sm text-accent-ink hover:underline ${className}`}
    >
      {url.replace(/^https?:\/\//, '').replace(/\/$/, '')}
    </a>
  );
}
