import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

/**
 * Renders a surface with a border. Use CardHeader, CardBody and CardFooter as its content, or fill it directly (a
 * table).
 */
export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return <section {...rest} className={cn('card', className)} />;
}

type CardHeaderProps = { title: ReactNode; description?: ReactNode; actions?: ReactNode; className?: string };

export function CardHeader({ title, description, actions, className }: CardHeaderProps) {
  return (
    <div className={cn('flex items-start justify-between gap-4 border-line border-b px-4 py-3 sm:px-5', className)}>
      <div className="min-w-0">
        <h2 className="text-ink text-sm">{title}</h2>
        {description ? <p className="mt-0.5 text-muted text-sm">{description}</p> : null}
      </div>
      {actions ? <div className="flex max-w-full shrink-0 items-center gap-2">{actions}</div> : null}
    </div>
  );
}

export function CardBody({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cn('card-body', className)} />;
}

export function CardFooter({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cn('card-footer', className)} />;
}

export type Fact = [name: string, value: ReactNode];

/** Labels and values of one record, in two columns. */
export function FactList({ facts }: { facts: Fact[] }) {
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-2 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 wrap-anywhere text-ink">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
