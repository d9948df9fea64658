import { describePause } from '@/components/sites/pause-words';
import { Badge, type Tone } from '@/components/ui/badge';
import { formatUsd } from '@/lib/money';
import type { CartItem } from '@/lib/orders/carts/contract';
import type { Linked } from '@/lib/sites/responses';

const links: Readonly<Record<NonNullable<Linked>, { tone: Tone; text: string }>> = {
  live: { tone: 'blue', text: 'Already links to this project' },
  ordered: { tone: 'yellow', text: 'Ordered for this project' },
  lost: { tone: 'grey', text: 'Link to this project lost' },
};

const twin = { tone: 'yellow', text: 'Same domain as another site here' } as const;

type SiteMarksProps = Pick<
  CartItem,
  'state' | 'pause' | 'priceCents' | 'shownPriceCents' | 'linked' | 'isDuplicate'
> & {
  /** Why the policy of the account refuses the site. */
  refusals?: readonly string[] | undefined;
};

/** Renders what a buyer should know about a site before paying: its state, its price and its links. */
export function SiteMarks({
  state,
  pause,
  priceCents,
  shownPriceCents,
  linked,
  isDuplicate,
  refusals = [],
}: SiteMarksProps) {
  // A duplicate that the project has not ordered repeats another site of the cart.
  const link = linked ? links[linked] : isDuplicate ? twin : null;
  return (
    <>
      {state === 'not_on_sale' ? <Badge tone="red">No longer on sale</Badge> : null}
      {state === 'paused' ? (
        <Badge tone="red">{pause ? describePause('Paused by the publisher', pause) : 'Cannot be ordered now'}</Badge>
      ) : null}
      {state === 'price_changed' && priceCents !== null ? (
        <Badge tone="yellow">
          Price changed from {formatUsd(shownPriceCents)} to {formatUsd(priceCents)}
        </Badge>
      ) : null}
      {link ? <Badge tone={link.tone}>{link.text}</Badge> : null}
      {refusals.map((text) => (
        <span key={text} className="wrap-anywhere whitespace-normal font-normal text-red-ink text-xs">
          {text}
        </span>
      ))}
    </>
  );
}
