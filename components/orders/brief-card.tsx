import type { ReactNode } from 'react';
import { Card, CardBody, CardHeader, type Fact, FactList } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { hasRelConflict } from '@/lib/orders/briefs/rel-conflict';
import type { OrderView } from '@/lib/orders/contract';
import { DownloadLink, LiveLink } from './order-links';

/** Who writes the article of a brief. */
export const writerNames: Readonly<Record<string, string>> = {
  seller: 'Written by the publisher',
  buyer: 'Written by the buyer',
};

/** The `rel` attribute that a brief requests. */
export const relNames: Readonly<Record<string, string>> = {
  any: 'Any',
  dofollow: 'Dofollow',
  nofollow: 'Nofollow',
  sponsored: 'Sponsored',
  ugc: 'UGC',
};

export type BriefView = NonNullable<OrderView['brief']>;

type BriefCardProps = {
  brief: BriefView;
  /** The URL that downloads the article, for the reader's role. */
  articleHref: string;
  /** Whether the site publishes Dofollow links. */
  follow?: boolean;
  /** Shown at the right of the title, e.g. an Edit button. */
  actions?: ReactNode;
};

/** Renders a brief for reading, with buttons that copy the target URL and the anchor text. */
export function BriefCard({ brief, articleHref, follow = true, actions }: BriefCardProps) {
  const { targetUrl, anchor, writer, words, notes, notBefore, rel, articleFileName } = brief;
  const facts: Fact[] = [
    [
      'Target URL',
      <Copyable key="target" text={targetUrl} label="Copy the target URL">
        <LiveLink url={targetUrl} />
      </Copyable>,
    ],
    [
      'Anchor text',
      anchor ? (
        <Copyable key="anchor" text={anchor} label="Copy the anchor text">
          {anchor}
        </Copyable>
      ) : (
        'Chosen by the publisher'
      ),
    ],
    [
      'Article',
      <span key="article" className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        {writerNames[writer]}
        {articleFileName ? (
          <DownloadLink href={articleHref} fileName={articleFileName} label="Download article" />
        ) : null}
      </span>,
    ],
    [
      'Link',
      hasRelConflict(rel, { follow }) ? `${relNames[rel]}. The site publishes NoFollow links only.` : relNames[rel],
    ],
    ['Words', words === null ? 'Site’s usual' : words.toLocaleString('en-US')],
    ...(notBefore ? [['Publish from', formatDay(notBefore)] satisfies Fact] : []),
    ...(notes
      ? [
          [
            'Notes',
            <span key="notes" className="whitespace-pre-wrap">
              {notes}
            </span>,
          ] satisfies Fact,
        ]
      : []),
  ];
  return (
    <Card aria-label="Brief">
      <CardHeader title="Brief" actions={actions} />
      <CardBody>
        <FactList facts={facts} />
      </CardBody>
    </Card>
  );
}

function Copyable({ text, label, children }: { text: string; label: string; children: ReactNode }) {
  return (
    <span className="flex min-w-0 items-center justify-between gap-2">
      <span className="min-w-0 wrap-anywhere">{children}</span>
      <span className="-my-1.5">
        <CopyButton text={text} label={label} variant="ghost" />
      </span>
    </span>
  );
}

/**
 * Formats a day.
 * @param day YYYY-MM-DD
 */
const formatDay = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
