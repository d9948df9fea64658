import { type ReactNode, useId } from 'react';
import { cn } from './cn';
import { Icon } from './icon';

/** The attributes that connect a control to its field; spread them on the input. */
type FieldControl = {
  id: string;
  required: boolean | undefined;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

type FieldProps = {
  label: ReactNode;
  /** Shown below the label, always visible. */
  hint?: ReactNode;
  /** Shown below the control; marks it as invalid. */
  error?: string;
  required?: boolean;
  /** Shown at the right of the label, e.g. a "Forgot password?" link. */
  aside?: ReactNode;
  className?: string;
  children: (control: FieldControl) => ReactNode;
};

/**
 * Renders label, control, hint and error, connected by ARIA attributes. Inside `data-unmarked` (a form whose every
 * field is required or marked as optional) required fields have no asterisk.
 */
export function Field({ label, hint, error, required, aside, className, children }: FieldProps) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : undefined;
  const errorId = error ? `${id}-error` : undefined;
  const describedBy = [errorId, hintId].filter(Boolean).join(' ') || undefined;
  return (
    <div className={cn('grid content-start gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-medium text-ink text-sm">
          {label}
          {required ? (
            <span aria-hidden="true" className="in-data-unmarked:hidden text-red-ink">
              {' *'}
            </span>
          ) : null}
        </label>
        {aside}
      </div>
      {children({ id, required, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined })}
      {error ? <FieldError id={errorId}>{error}</FieldError> : null}
      {hint ? (
        <p id={hintId} className="text-muted text-xs">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

/** Renders the error below a control. Used alone where a control (a checkbox) has its own label. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="flex items-start gap-1.5 text-red-ink text-xs">
      <Icon name="circle-alert" className="mt-0.5 size-3" />
      {children}
    </p>
  );
}
