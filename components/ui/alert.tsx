import type { ReactNode } from 'react';
import { toneSoft } from './badge';
import { cn } from './cn';
import { Icon } from './icon';

const styles = {
  error: { tone: toneSoft.red, icon: 'circle-alert' },
  warning: { tone: toneSoft.yellow, icon: 'triangle-alert' },
  success: { tone: toneSoft.green, icon: 'circle-check' },
  info: { tone: toneSoft.blue, icon: 'info' },
} as const;

type AlertProps = {
  tone?: keyof typeof styles;
  title?: ReactNode;
  /** A button or link that resolves the problem. */
  action?: ReactNode;
  className?: string;
  children?: ReactNode;
};

/** Renders a message in the page. Errors are announced immediately by screen readers; other tones wait (`polite`). */
export function Alert({ tone = 'info', title, action, className, children }: AlertProps) {
  const { tone: colors, icon } = styles[tone];
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={cn('flex items-start gap-2.5 rounded-md border px-3 py-2.5 text-sm', colors, className)}
    >
      <Icon name={icon} className="mt-0.5" />
      <div className="min-w-0 flex-1 wrap-anywhere">
        {title ? <p className="font-medium">{title}</p> : null}
        {children ? <div className={title ? 'mt-0.5' : undefined}>{children}</div> : null}
      </div>
      {action ? <div className="-my-1 shrink-0">{action}</div> : null}
    </div>
  );
}

/** Renders the error of a form, over all columns of its grid; nothing without one. */
export function FormError({ error }: { error: string | null }) {
  return error ? (
    <Alert tone="error" className="col-span-full">
      {error}
    </Alert>
  ) : null;
}
