import { cn } from './cn';

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
type ButtonSize = 'sm' | 'md' | 'lg';

export type ButtonOptions = { variant?: ButtonVariant; size?: ButtonSize; square?: boolean; className?: string };

/** The classes of a button, for any element (button, link, file label). */
export function buttonClass({ variant = 'secondary', size = 'md', square = false, className }: ButtonOptions): string {
  return cn(
    'btn',
    variant !== 'secondary' && `btn-${variant}`,
    size !== 'md' && `btn-${size}`,
    square && 'btn-square',
    className,
  );
}
