import { Money } from '@/components/ui/money';
import type { ExpectedEarning, NotYet } from '@/lib/orders/placements/expected-earning';

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Says what an amount waits for, and when it becomes payable. */
export function WhyNotYet({ earning }: { earning: ExpectedEarning }) {
  const { notYet } = earning;
  if (notYet === null) return <span className="text-muted">All of it is payable.</span>;
  const isUrgent = notYet.reason === 'missing' || notYet.reason === 'changed';
  return (
    <span className="grid gap-0.5">
      <span className={isUrgent ? 'text-red-ink' : 'text-ink'}>
        <Reason notYet={notYet} />
      </span>
      {isBeforeApproval(notYet) ? (
        <span className="text-muted text-xs">
          <Plan earning={earning} />
        </span>
      ) : null}
    </span>
  );
}

const isBeforeApproval = ({ reason }: NotYet) => reason === 'answer' || reason === 'publish' || reason === 'review';

function Reason({ notYet }: { notYet: NotYet }) {
  switch (notYet.reason) {
    case 'answer':
      return <Clock words="Answer" until={notYet.until} />;
    case 'publish':
      return <Clock words="Publish" until={notYet.until} />;
    case 'review':
      return <Clock words="Waiting for the buyer’s approval" to="until" until={notYet.until} />;
    case 'dispute':
      return 'In dispute. Nothing becomes payable until it ends.';
    case 'missing':
      return <Clock words="The link is missing: repair it" until={notYet.until} />;
    case 'changed':
      return 'The link differs from the brief. Nothing becomes payable until it is repaired.';
    case 'unknown':
      return 'The last check could not read the page. The link is checked again.';
    case 'ripening':
      return <Ripening {...notYet} />;
  }
}

/** Renders "Answer by Nov 27, 2026, 10:00 AM UTC." */
function Clock({ words, to = 'by', until }: { words: string; to?: string; until: string | null }) {
  if (until === null) return `${words}.`;
  return (
    <>
      {`${words} ${to} `}
      <time dateTime={until}>{day.format(new Date(until))} UTC</time>.
    </>
  );
}

function Ripening({ perDayCents, atEndCents, until }: Omit<Extract<NotYet, { reason: 'ripening' }>, 'reason'>) {
  return (
    <>
      {perDayCents > 0 ? (
        <>
          <Money amountMinor={perDayCents} /> more with each day that the check finds the link
        </>
      ) : (
        'The rest follows while the link stays'
      )}
      {atEndCents > 0 ? (
        <>
          , with <Money amountMinor={atEndCents} /> for the longer guarantee at its end
        </>
      ) : null}
      {until === null ? (
        '.'
      ) : (
        <>
          , all of it on <time dateTime={until}>{day.format(new Date(until))} UTC</time>.
        </>
      )}
    </>
  );
}

/** Shows what becomes payable at the approval, and when the rest follows. */
function Plan({
  earning: { approvalPercent, atApprovalCents, openCents, guaranteeDays, atEndCents },
}: {
  earning: ExpectedEarning;
}) {
  const end =
    atEndCents > 0 ? (
      <>
        {' '}
        <Money amountMinor={atEndCents} /> of it, for the longer guarantee, follows at its end.
      </>
    ) : null;
  if (end === null && (approvalPercent === 100 || guaranteeDays === 0)) return 'All of it is payable at the approval.';
  const rest = `over ${guaranteeDays} days while the link stays.`;
  if (approvalPercent === 0)
    return (
      <>
        <Money amountMinor={openCents} /> follows {rest}
        {end}
      </>
    );
  return (
    <>
      {approvalPercent}% (<Money amountMinor={atApprovalCents} />) payable at the approval, the rest {rest}
      {end}
    </>
  );
}
