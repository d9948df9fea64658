import Link from 'next/link';
import { RecordNotFound } from '@/components/table/record-dialog';
import { nullIfNotFound } from '@/lib/errors';
import { siteIdParams } from '@/lib/sites/edit-schemas';
import { findSellerSite } from '@/lib/sites/seller-queries';
import { getWordPress } from '@/lib/sites/wordpress/connection';
import type { ConnectResult } from '@/lib/sites/wordpress/contract';
import { WordPressDialog } from './wordpress-dialog';

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

type ConnectDialogProps = {
  /** The URL parameter as received; '' if absent. */
  id: string;
  ownerId: string;
  closeHref: string;
  result: ConnectResult | undefined;
  proveHref: (id: number) => string;
};

/** Renders the dialog that connects the site in the URL with WordPress. */
export async function ConnectDialog({ id, ownerId, result, proveHref, closeHref }: ConnectDialogProps) {
  if (id === '') return null;
  const params = siteIdParams.safeParse({ id });
  const [site, view] = params.success
    ? await Promise.all([
        findSellerSite(ownerId, params.data.id),
        nullIfNotFound(getWordPress(ownerId, params.data.id)),
      ])
    : [];
  if (!site || !view) return <RecordNotFound key={id} noun="site" closeHref={closeHref} />;
  return (
    <WordPressDialog
      key={id}
      {...{ view, result, closeHref }}
      site={{ id: site.id, name: site.name }}
      proveHref={proveHref(site.id)}
    />
  );
}
