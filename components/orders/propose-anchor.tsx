'use client';

import { useState } from 'react';
import { toast } from 'sonner';
import { ApiError, apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { ProposedAnchor } from '@/lib/projects/anchors/choose-anchors';

type ProposeAnchorProps = { projectId: string; onPropose: (text: string) => void };

/** Fills the anchor text with what the anchor plan of the project proposes next. */
export function ProposeAnchor({ projectId, onPropose }: ProposeAnchorProps) {
  const [pending, setPending] = useState(false);
  const propose = async () => {
    setPending(true);
    try {
      const path = `/api/user/projects/${projectId}/anchor-plan/next?count=1`;
      const { anchors } = await apiFetch<{ anchors: ProposedAnchor[] }>(path).catch(redirectIfSignedOut);
      const [proposed] = anchors;
      if (proposed) onPropose(proposed.text);
      if (!proposed?.text) toast.info(proposed ? emptyTexts.get(proposed.kind) : noTexts);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      toast.error(cause.message || 'No anchor could be proposed. Try again.');
    } finally {
      setPending(false);
    }
  };
  return (
    <button
      type="button"
      onClick={propose}
      disabled={pending || projectId === ''}
      aria-busy={pending || undefined}
      data-tooltip={projectId === '' ? 'Select a project first' : 'From the anchor plan of the project'}
      className="-my-1 min-h-6 rounded-sm text-accent-ink text-xs hover:underline disabled:text-subtle disabled:no-underline"
    >
      Propose
    </button>
  );
}

const emptyTexts = new Map([
  ['image', 'The plan asks for a linked image. Leave the text empty, and say so in the notes.'],
  ['none', 'The plan asks for a link without text. Leave it empty, and say so in the notes.'],
]);
const noTexts = 'The anchor plan of this project has no texts to propose. Add some on the page of the project.';
