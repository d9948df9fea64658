import type { ReactNode } from 'react';
import { cn } from './cn';

/** The meanings of a colour. Neutral is a grey without meaning; grey is "inactive" or "ended". */
export type Tone = 'neutral' | 'green' | 'yellow' | 'red' | 'blue' | 'grey';

/** Light background, text and border; the contrast is at least 4.5:1 in both themes. */
export const toneSoft: Record<Tone, string> = {
  neutral: 'border-line-strong bg-surface text-muted',
  green: 'border-green-line bg-green-soft text-green-ink',
  yellow: 'border-yellow-line bg-yellow-soft text-yellow-ink',
  red: 'border-red-line bg-red-soft text-red-ink',
  blue: 'border-blue-line bg-blue-soft text-blue-ink',
  grey: 'border-grey-line bg-grey-soft text-grey-ink',
};

export const toneSolid: Record<Tone, string> = {
  neutral: 'bg-subtle',
  green: 'bg-green',
  yellow: 'bg-yellow',
  red: 'bg-red',
  blue: 'bg-blue',
  grey: 'bg-grey',
};

type BadgeProps = { tone?: Tone; dot?: boolean; className?: string; children: ReactNode };

/** Renders a small label for a state. The text names it; the colour only repeats it. */
export function Badge({ tone = 'neutral', dot = false, className, children }: BadgeProps) {
  return (
    <span className={cn('badge', toneSoft[tone], className)}>
      {dot ? <span aria-hidden="true" className={`size-1.5 rounded-full ${toneSolid[tone]}`} /> : null}
      {children}
    </span>
  );
}
