import { type Tone, toneSolid } from './badge';
import { cn } from './cn';

/**
 * Renders a spinner in the colour of the surrounding text. Hidden from screen readers: the element around it announces
 * the state.
 */
export function Spinner({ className = 'size-4' }: { className?: string }) {
  return (
    <svg viewBox="0 0 16 16" fill="none" aria-hidden="true" className={cn('shrink-0 animate-spin', className)}>
      <circle cx="8" cy="8" r="6.25" stroke="currentColor" strokeOpacity="0.25" strokeWidth="1.5" />
      <path d="M14.25 8A6.25 6.25 0 0 0 8 1.75" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
    </svg>
  );
}

type ProgressProps = {
  /** 0 to `max`; values outside are clamped. */
  value: number;
  max?: number;
  label: string;
  tone?: Tone | 'accent';
  className?: string;
};

export function Progress({ value, max = 100, label, tone = 'accent', className }: ProgressProps) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(max, Math.max(0, value))}
      className={cn('h-1.5 w-full overflow-hidden rounded-full bg-line', className)}
    >
      <div
        className={cn(
          'h-full origin-left rounded-full transition-transform duration-200',
          tone === 'accent' ? 'bg-accent' : toneSolid[tone],
        )}
        style={{ transform: `scaleX(${share})` }}
      />
    </div>
  );
}
