import { FlaskConical } from 'lucide-react';

/** States that no real money moves, while the sandbox gateway replaces the payment providers. */
export function SandboxBanner() {
  return (
    <section
      aria-label="Sandbox"
      className="no-print sticky top-0 z-30 flex h-6 items-center justify-center gap-2 border-yellow-line border-b bg-yellow-soft px-4 text-center text-xs text-yellow-ink"
    >
      <FlaskConical className="size-3.5 shrink-0" />
      Sandbox: payments are simulated
    </section>
  );
}
