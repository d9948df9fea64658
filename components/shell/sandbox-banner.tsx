'use client';

import { Icon } from '@/components/ui/icon';

/**
 * States that no real money moves, while the sandbox gateway replaces the payment providers. A client component, because
 * the server would describe its elements in every page.
 */
export function SandboxBanner() {
  return (
    <section
      aria-label="Sandbox"
      className="no-print sticky top-0 z-30 flex h-6 items-center justify-center gap-2 border-yellow-line border-b bg-yellow-soft px-4 text-center text-xs text-yellow-ink"
    >
      <Icon name="flask-conical" className="size-3.5" />
      Sandbox: payments are simulated
    </section>
  );
}
