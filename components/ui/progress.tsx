import { cn } from './cn';
import { type Tone, toneSolid } from './tone';

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
