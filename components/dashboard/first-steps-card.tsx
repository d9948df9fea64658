import { ButtonLink } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { Icon } from '@/components/ui/icon';

/** A step with the page on which it is done. */
export type FirstStep = { title: string; why: string; done: boolean; href: string; action: string };

type FirstStepsCardProps = {
  steps: readonly FirstStep[];
  /** Whether every open step has its link; otherwise only the next one has. */
  isAnyOrder?: boolean;
};

/** Renders the first steps of a new user, with the completed ones marked. Nothing once all are done. */
export function FirstStepsCard({ steps, isAnyOrder = false }: FirstStepsCardProps) {
  const next = steps.find((step) => !step.done);
  if (!next) return null;
  const done = steps.filter((step) => step.done).length;
  return (
    <Card className="mb-4 p-4 sm:p-5" aria-labelledby="first-steps">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="first-steps" className="text-ink text-sm">
          First steps
        </h2>
        <p className="text-muted text-xs">
          {done} of {steps.length} done
        </p>
      </div>
      <ol
        className={cn(
          'mt-4 grid gap-4',
          steps.length > 3 ? 'sm:grid-cols-2 xl:auto-cols-fr xl:grid-flow-col xl:grid-cols-none' : 'md:grid-cols-3',
        )}
      >
        {steps.map((step, index) => (
          <li key={step.title} className="flex gap-3">
            <StepMark number={index + 1} done={step.done} current={step === next} />
            <div className="min-w-0">
              <p className={step.done ? 'text-muted' : 'font-medium text-ink'}>
                {step.title}
                {step.done ? <span className="sr-only"> (done)</span> : null}
              </p>
              <p className="mt-0.5 text-muted text-xs">{step.why}</p>
              {step === next || (isAnyOrder && !step.done) ? (
                <ButtonLink
                  href={step.href}
                  size="sm"
                  className="mt-3"
                  {...(step === next && { variant: 'primary' as const })}
                >
                  {step.action}
                </ButtonLink>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function StepMark({ number, done, current }: { number: number; done: boolean; current: boolean }) {
  const look = done
    ? 'border-green-line bg-green-soft text-green-ink'
    : current
      ? 'border-accent bg-accent-soft text-accent-ink'
      : 'border-line-strong text-subtle';
  return (
    <span
      aria-hidden="true"
      className={`grid size-6 shrink-0 place-items-center rounded-full border font-medium text-xs ${look}`}
    >
      {done ? <Icon name="check" className="size-3.5" /> : number}
    </span>
  );
}
