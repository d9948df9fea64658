import type { ReactNode } from 'react';

/** The headline and text of the panel beside a sign-in form. */
export function PanelHeadline({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <p className="text-balance font-medium text-3xl text-ink tracking-tight">{title}</p>
      <p className="mt-3 max-w-md text-base text-muted">{children}</p>
    </div>
  );
}
