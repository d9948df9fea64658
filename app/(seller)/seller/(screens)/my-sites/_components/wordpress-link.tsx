import Link from 'next/link';

type WordPressLinkProps = { site: { name: string; wordpress: 'connected' | 'revoked' | undefined }; href: string };

const texts = {
  connected: { text: 'WordPress connected', tone: 'text-green-ink' },
  revoked: { text: 'Reconnect WordPress', tone: 'text-yellow-ink' },
  none: { text: 'Connect WordPress', tone: 'text-accent-ink' },
};

/** Shows whether a site is connected with WordPress, as the link to the connection. */
export function WordPressLink({ site: { name, wordpress = undefined }, href }: WordPressLinkProps) {
  const { text, tone } = texts[wordpress ?? 'none'];
  return (
    <Link
      prefetch={false}
      href={href}
      scroll={false}
      aria-label={`${text}: ${name}`}
      className={`mt-0.5 block w-fit rounded-sm text-xs hover:underline ${tone}`}
    >
      {text}
    </Link>
  );
}
