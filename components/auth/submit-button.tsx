import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { useHydrated } from '@/components/ui/use-hydrated';

type SubmitButtonProps = { pending: boolean; disabled?: boolean; children: ReactNode };

/** The submit button of the sign-in pages. Before hydration it looks enabled but does not submit. */
export function SubmitButton({ pending, disabled = false, children }: SubmitButtonProps) {
  const hydrated = useHydrated();
  return (
    <Button
      type="submit"
      variant="primary"
      size="lg"
      pending={pending}
      disabled={!hydrated || disabled}
      className={hydrated ? 'w-full' : 'w-full disabled:opacity-100'}
    >
      {children}
    </Button>
  );
}
