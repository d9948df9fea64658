import { redirect } from 'next/navigation';
import { Icon } from '@/components/ui/icon';
import type { Actor } from '@/lib/access/actor';
import { stopViewAction } from '@/lib/auth/view-actions';

const time = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'UTC' });

/** States above a portal that staff view it, and stops the view. A form without a script of its own. */
export function ViewingBanner({ actor: { email, viewing } }: { actor: Pick<Actor, 'email' | 'viewing'> }) {
  if (!viewing) return null;
  return (
    <section
      aria-label="View as"
      className="no-print sticky top-0 z-30 flex h-6 items-center justify-center gap-3 border-red-line border-b bg-red-soft px-4 text-red-ink text-xs"
    >
      <Icon name="eye" className="size-3.5" />
      <p className="min-w-0 truncate">
        {`Read-only view of ${email}`}
        <span className="max-sm:hidden">{` until ${time.format(viewing.endsAt)} UTC. Wallet amounts are hidden.`}</span>
      </p>
      <StopViewing />
    </section>
  );
}

/** Renders the button that ends the view and returns to the admin area. */
export function StopViewing() {
  return (
    <form action={stop} className="shrink-0">
      <button type="submit" className="h-6 rounded-sm px-1 font-medium underline">
        Stop viewing
      </button>
    </form>
  );
}

async function stop(): Promise<void> {
  'use server';
  const answer = await stopViewAction({});
  if (!answer.ok) throw new Error(answer.error);
  redirect(answer.data.home);
}
