import type { ReactNode } from 'react';

/** What the panel beside a sign-in says first. */
export function PanelHeadline({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <p className="text-balance font-medium text-3xl text-ink tracking-tight">{title}</p>
      <p className="mt-3 max-w-md text-base text-muted">{children}</p>
    </div>
  );
}
