import { StaleAlert } from '@/components/form/stale-changes';
import type { AdminOrderView } from '@/lib/orders/views';
import type { OrderEdit } from './order-edit';

type StaleNoticeProps = {
  base: AdminOrderView;
  theirs: AdminOrderView;
  mine: OrderEdit;
  onUseTheirs: () => void;
  onKeepMine: () => void;
};

/** Somebody else changed the order while this one was edited: shows where the two differ and lets the person choose. */
export function StaleNotice({ base, theirs, mine, ...choices }: StaleNoticeProps) {
  const differences = [
    { name: 'Status', was: base.status, now: theirs.status, yours: mine.status },
    { name: 'Live link', was: base.linkUrl, now: theirs.linkUrl, yours: mine.linkUrl },
    { name: 'Comments', was: base.adminComments, now: theirs.adminComments, yours: mine.adminComments },
  ].filter(({ was, now, yours }) => now !== was || now !== yours);
  return (
    <StaleAlert title={`Order #${theirs.id} was changed by somebody else while you were editing.`} {...choices}>
      <p>Nothing was saved, and nothing you typed is lost.</p>
      <dl className="mt-2 grid gap-1">
        {differences.map(({ name, now, yours }) => (
          <div key={name}>
            <dt className="font-medium">{name}</dt>
            <dd className="wrap-anywhere">Now: {now || 'empty'}</dd>
            {yours === now ? null : <dd className="wrap-anywhere">Yours: {yours || 'empty'}</dd>}
          </div>
        ))}
      </dl>
    </StaleAlert>
  );
}
