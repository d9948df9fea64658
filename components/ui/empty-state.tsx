import type { ReactNode } from 'react';
import { cn } from './cn';

type EmptyStateProps = {
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
};

/** The placeholder of an empty list, of a search without results, or of a failure: a text and an action. */
export function EmptyState({ icon, title, children, action, className }: EmptyStateProps) {
  return (
    <div className={cn('empty-state', className)}>
      {icon ? (
        <span
          aria-hidden="true"
          className="mb-4 grid size-10 place-items-center rounded-lg border border-line bg-sunken text-subtle [&>*]:size-5"
        >
          {icon}
        </span>
      ) : null}
      <p className="font-medium text-ink text-sm">{title}</p>
      {children ? <div className="mt-1 max-w-sm text-muted text-sm">{children}</div> : null}
      {action ? <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div> : null}
    </div>
  );
}
