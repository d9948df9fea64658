import { cn } from './cn';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
export type ButtonSize = 'sm' | 'md' | 'lg';

const base =
  'relative inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md border font-medium transition-colors disabled:cursor-not-allowed disabled:opacity-55 aria-busy:cursor-progress aria-busy:opacity-100';

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent enabled:hover:bg-accent-hover [a&]:hover:bg-accent-hover',
  secondary: 'border-line-strong bg-surface text-ink enabled:hover:bg-sunken [a&]:hover:bg-sunken',
  ghost:
    'border-transparent text-muted enabled:hover:bg-sunken enabled:hover:text-ink [a&]:hover:bg-sunken [a&]:hover:text-ink',
  danger: 'border-transparent bg-red text-white enabled:hover:bg-red-hover',
};

const sizes: Record<ButtonSize, string> = {
  sm: 'h-8 px-3 text-sm',
  md: 'h-9 px-3.5 text-sm',
  lg: 'h-10 px-4 text-sm',
};

const squares: Record<ButtonSize, string> = { sm: 'size-8', md: 'size-9', lg: 'size-10' };

export type ButtonLook = { variant?: ButtonVariant; size?: ButtonSize; square?: boolean; className?: string };

/** The look of a button, for whatever element plays one (button, link, file label). */
export function buttonClass({ variant = 'secondary', size = 'md', square = false, className }: ButtonLook): string {
  return cn(base, variants[variant], square ? squares[size] : sizes[size], className);
}
