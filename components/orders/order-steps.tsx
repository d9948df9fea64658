import { cn } from '@/components/ui/cn';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import { describeSteps, getStepTimes, type OrderStep, type StepFacts } from '@/lib/orders/notices/steps';
import type { TimelineEntry } from '@/lib/orders/notices/timeline';
import { DueLine } from './due-note';

/** Renders the history of an order, newest entry last. */
export function OrderTimeline({ entries }: { entries: TimelineEntry[] }) {
  return (
    <ol aria-label="Timeline" className="ml-1 text-sm">
      {entries.map((entry) => (
        <li key={entry.id} className="relative border-line-strong border-l pb-4 pl-5 last:border-transparent last:pb-0">
          <span
            aria-hidden="true"
            className="absolute top-1.5 -left-[4.5px] size-2 rounded-full bg-subtle ring-4 ring-overlay"
          />
          {entry.texts.map((text) => (
            <p key={text} className="wrap-anywhere text-ink">
              {text}
            </p>
          ))}
          {entry.comment ? (
            <p className="mt-1 whitespace-pre-wrap wrap-anywhere rounded-md bg-sunken px-2.5 py-1.5 text-muted">
              {entry.comment}
            </p>
          ) : null}
          <p className="mt-0.5 wrap-anywhere text-muted text-xs">
            {entry.by} · <TimeAgo at={entry.at} />
          </p>
        </li>
      ))}
    </ol>
  );
}

type OrderStepsProps = { orderId: number; side: 'buyer' | 'seller' | 'staff'; facts: StepFacts };

/** Renders the way of an order from the payment to the end of its guarantee, with times. A row; a column on phones. */
export async function OrderSteps({ orderId, side, facts }: OrderStepsProps) {
  const steps = describeSteps(facts, await getStepTimes(orderId, side));
  return (
    <ol aria-label="Progress" className="card mb-4 grid gap-3 px-4 py-4 sm:px-5 md:flex md:gap-0">
      {steps.map((step) => (
        <Step key={step.label} step={step} />
      ))}
    </ol>
  );
}

const looks: Record<OrderStep['state'], { marker: string; meaning: string }> = {
  done: { marker: 'border-green bg-green-soft text-green-ink', meaning: 'done' },
  current: { marker: 'border-accent bg-accent-soft', meaning: 'current step' },
  upcoming: { marker: 'border-line-strong bg-surface', meaning: 'to come' },
  failed: { marker: 'border-red bg-red-soft text-red-ink', meaning: 'not completed' },
};

function Step({ step: { label, state, at, due } }: { step: OrderStep }) {
  return (
    <li
      aria-current={state === 'current' ? 'step' : undefined}
      className="flex min-w-0 gap-3 text-sm md:flex-1 md:flex-col md:gap-1.5 md:pr-3"
    >
      <span className="flex items-center gap-3">
        <span
          aria-hidden="true"
          className={cn('grid size-6 shrink-0 place-items-center rounded-full border-2', looks[state].marker)}
        >
          {state === 'done' ? <Icon name="check" className="size-3.5" /> : null}
          {state === 'failed' ? <Icon name="x" className="size-3.5" /> : null}
          {state === 'current' ? <span className="size-2 rounded-full bg-accent" /> : null}
        </span>
        <span aria-hidden="true" className="h-px flex-1 bg-line-strong max-md:hidden" />
      </span>
      <span className="min-w-0">
        <span
          className={cn(
            'wrap-anywhere',
            state === 'upcoming' ? 'text-muted' : state === 'failed' ? 'font-medium text-red-ink' : 'text-ink',
            state === 'current' && 'font-medium',
          )}
        >
          {label} <span className="sr-only">({looks[state].meaning})</span>
        </span>
        {at ? <TimeAgo at={at} className="block text-muted text-xs" /> : null}
        {due ? <DueLine due={due} className="block text-xs" /> : null}
      </span>
    </li>
  );
}
