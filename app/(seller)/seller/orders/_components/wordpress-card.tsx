import Link from 'next/link';
import type { ReactNode } from 'react';
import { LiveLink } from '@/components/orders/order-links';
import { Alert } from '@/components/ui/alert';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import type { SellerOrderView } from '@/lib/orders/order/seller-queries';
import type { OrderPosting } from '@/lib/orders/posts/form';
import { PublishArticle, RestoreLink } from './publish-article';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/**
 * Shows the post of an order in WordPress, with what its seller can do: publish the article while the order waits for its
 * delivery, and restore a link that the checks miss. Renders nothing for an order that has no use for it.
 */
export function WordPressCard({ posting, order }: { posting: OrderPosting; order: SellerOrderView }) {
  const canPublish = order.state === 'accepted' || order.state === 'in_revision';
  const verdict = order.check?.verdict;
  const isWrong =
    (order.state === 'delivered' || order.state === 'approved') && (verdict === 'broken' || verdict === 'changed');
  if (!canPublish && posting.post === null) return null;
  return (
    <Card aria-label="WordPress">
      <CardHeader title="WordPress" />
      <CardBody className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-3 text-sm">
        <Post posting={posting} isDelivered={!canPublish} />
        <Connection posting={posting} />
        {canPublish && posting.state === 'connected' ? (
          <PublishArticle order={order} isRepeated={posting.post !== null && posting.post.state !== 'publishing'} />
        ) : null}
        {isWrong && posting.canRestore && posting.state === 'connected' ? <RestoreLink orderId={order.id} /> : null}
      </CardBody>
    </Card>
  );
}

function Post({ posting: { post }, isDelivered }: { posting: OrderPosting; isDelivered: boolean }) {
  if (!post) return null;
  return (
    <>
      {describePost(post)}
      {post.lastError && !isDelivered ? (
        <Alert
          tone="warning"
          title={post.state === 'live' ? 'Published, but not delivered.' : 'The last attempt failed.'}
        >
          {post.lastError}
        </Alert>
      ) : null}
    </>
  );
}

function describePost({ state, title, url, publishAt }: NonNullable<OrderPosting['post']>): ReactNode {
  if (state === 'live' && url !== null) {
    return (
      <div className="w-full min-w-0">
        <p className="text-muted">Published</p>
        <LiveLink url={url} />
      </div>
    );
  }
  if (state === 'scheduled' && publishAt !== null) {
    return (
      <p>
        “{title}” appears on {day.format(new Date(publishAt))} UTC. The order is delivered then.
      </p>
    );
  }
  if (state === 'draft') {
    return <p>“{title}” is a draft. Publish it in WordPress: the order is delivered a few minutes later.</p>;
  }
  return null;
}

const advice = {
  none: {
    text: 'Publish the article from here, and restore a lost link by one press.',
    link: 'Connect your site',
    parameter: 'wordpress',
  },
  revoked: {
    text: 'WordPress no longer accepts the password.',
    link: 'Connect the site again',
    parameter: 'wordpress',
  },
  unproved: { text: 'The proof of your domain is no longer valid.', link: 'Prove your site', parameter: 'prove' },
} as const;

function Connection({ posting: { state, siteId } }: { posting: OrderPosting }) {
  if (state === 'connected' || siteId === null) return null;
  const { text, link, parameter } = advice[state];
  return (
    <p className="text-muted">
      {text}{' '}
      <Link href={`/seller/my-sites?${parameter}=${siteId}`} className="text-accent-ink underline">
        {link}
      </Link>
    </p>
  );
}
