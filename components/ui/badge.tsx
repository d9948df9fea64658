import type { ReactNode } from 'react';
import { cn } from './cn';
import { type Tone, toneSoft, toneSolid } from './tone';

type BadgeProps = { tone?: Tone; dot?: boolean; className?: string; children: ReactNode };

/** A small label for a state. The text names it; the colour only repeats it. */
export function Badge({ tone = 'neutral', dot = false, className, children }: BadgeProps) {
  return (
    <span className={cn('badge', toneSoft[tone], className)}>
      {dot ? <span aria-hidden="true" className={`size-1.5 rounded-full ${toneSolid[tone]}`} /> : null}
      {children}
    </span>
  );
}
