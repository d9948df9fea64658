import Link from 'next/link';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '@/components/ui/badge';
import { Money } from '@/components/ui/money';
import type { RequestView } from '@/lib/orders/requests/contract';

type Line = RequestView['lines'][number];

type RequestLinesProps = {
  lines: readonly Line[];
  /** Whether the member may open orders. */
  hasOrders: boolean;
  /** The control left of a line. */
  control?: (line: Line) => ReactNode;
};

const states: Record<Line['state'], { tone: Tone; label: string } | null> = {
  open: null,
  approved: { tone: 'green', label: 'Approved' },
  declined: { tone: 'red', label: 'Declined' },
};

/** Renders the lines of a request with their prices, their briefs, and the comments of the client. */
export function RequestLines({ lines, hasOrders, control }: RequestLinesProps) {
  return (
    <ul aria-label="Lines" className="grid divide-y divide-line">
      {lines.map((line) => (
        <li key={line.id} className="flex items-start gap-3 py-3 text-sm first:pt-0 last:pb-0">
          {control?.(line)}
          <div className="grid min-w-0 flex-1 gap-1">
            <span className="flex flex-wrap items-center gap-2">
              <span className="wrap-anywhere font-medium text-ink">
                {line.quantity === 1 ? line.name : `${line.quantity} × ${line.name}`}
              </span>
              <LineState line={line} />
            </span>
            {line.targetUrl === null ? null : (
              <span className="wrap-anywhere text-muted text-xs">
                {line.anchor ? `“${line.anchor}” to ` : 'Link to '}
                {line.targetUrl}
              </span>
            )}
            {line.comment ? (
              <span className="wrap-anywhere text-ink">
                <span className="text-muted">Client: </span>
                {line.comment}
              </span>
            ) : null}
            {line.orderId === null || !hasOrders ? null : (
              <Link
                prefetch={false}
                href={`/user/orders/${line.orderId}`}
                className="justify-self-start rounded-sm text-accent-ink underline"
              >
                Order #{line.orderId}
              </Link>
            )}
          </div>
          {line.cents === null ? null : (
            <span className="shrink-0 text-right">
              <Money amountMinor={line.cents} className="block font-medium text-ink" />
              {line.taxCents ? (
                <span className="block text-muted text-xs">
                  + <Money amountMinor={line.taxCents} /> tax
                </span>
              ) : null}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function LineState({ line: { state } }: { line: Line }) {
  const shown = states[state];
  return shown ? <Badge tone={shown.tone}>{shown.label}</Badge> : null;
}
