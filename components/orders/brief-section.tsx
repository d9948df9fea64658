'use client';

import { type RefObject, useEffect, useRef } from 'react';
import { BriefFields } from './brief-fields';
import type { OrderFailure } from './order-failure';
import type { OrderBriefs } from './use-brief-draft';

type BriefSectionProps = {
  briefs: OrderBriefs;
  errors: Readonly<Record<string, string>>;
  /** Called when the brief changes. */
  onChange: () => void;
  /** The number of sites, which share the brief. */
  siteCount?: number;
};

/** The brief in the form of an order. */
export function BriefSection({ briefs, errors, onChange, siteCount = 1 }: BriefSectionProps) {
  return (
    <section aria-label="Brief">
      <h3 className="text-ink text-sm">Brief</h3>
      <p className="mt-0.5 mb-3 text-muted text-sm">
        {siteCount > 1
          ? `What to publish on these ${siteCount} sites. You can set a different brief for single sites below.`
          : 'What to publish. You can change it until the order is accepted.'}
      </p>
      <BriefFields
        legend="Brief"
        prefix="brief."
        texts={briefs.common}
        errors={errors}
        onUploading={briefs.setUploading}
        onEdit={(changes) => {
          briefs.edit(changes);
          onChange();
        }}
      />
    </section>
  );
}

/** The message that refuses an order during an upload. */
export const uploadingMessage = 'Wait until the article is uploaded.';

/** Focuses the first invalid field inside an element when a request was refused because of fields. */
export function useFocusInvalid(failure: OrderFailure | null): RefObject<HTMLDivElement | null> {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure?.fields) root.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [failure]);
  return root;
}
