'use client';

import { useState } from 'react';
import type { ProjectOption } from '@/components/projects/project-field';
import {
  type BriefDraft,
  type BriefEdit,
  type BriefsRequest,
  type BriefTexts,
  briefDraftKey,
  emptyBrief,
  readBriefDraft,
  removeBriefDraft,
  toBriefRequest,
  writeBriefDraft,
} from './brief-draft';

type BriefDraftOptions = {
  userId: string;
  /** The way to order; each has its own draft. */
  way: 'site' | 'package' | 'again';
  /** What the draft is for; a draft for another subject is discarded. */
  subject?: string;
  /** The selected project, whose target URL fills the form. */
  project: ProjectOption | undefined;
  /** Initial values that take precedence over the project's. */
  initial?: BriefEdit;
};

/** The brief of an order, as its form edits it. */
export type OrderBrief = {
  common: BriefTexts;
  edit: (changes: BriefEdit) => void;
  /** Returns the brief for POST /api/orders. */
  request: () => BriefsRequest;
  /** Deletes the draft, after the order. */
  clear: () => void;
  isUploading: boolean;
  setUploading: (isUploading: boolean) => void;
};

/**
 * Holds the brief of an order. What the user edits is stored in the browser, and survives a reload and a visit to the
 * wallet. Use it only in components that are not rendered on the server.
 */
export function useBriefDraft({ userId, way, subject = '', project, initial }: BriefDraftOptions): OrderBrief {
  const key = briefDraftKey(userId, way);
  const projectId = project?.id ?? '';
  const [stored, setStored] = useState(() => readBriefDraft(key, subject));
  const [uploads, setUploads] = useState(0);
  const draft = ['', projectId].includes(stored.projectId) ? { ...stored, projectId } : withoutLinks(stored, projectId);
  const common: BriefTexts = { ...emptyBrief, targetUrl: project?.targetUrl ?? '', ...initial, ...draft.common };

  return {
    common,
    edit: (changes) => {
      const next = { ...draft, common: { ...draft.common, ...changes } };
      setStored(next);
      writeBriefDraft(key, next);
    },
    request: () => ({ brief: toBriefRequest(common) }),
    clear: () => {
      setStored({ subject, projectId: '', common: {} });
      removeBriefDraft(key);
    },
    isUploading: uploads > 0,
    setUploading: (isUploading) => setUploads((before) => before + (isUploading ? 1 : -1)),
  };
}

/** Removes what belongs to another project: the target URL and the anchor. */
function withoutLinks({ common, ...draft }: BriefDraft, projectId: string): BriefDraft {
  const { targetUrl: _url, anchor: _anchor, ...others } = common;
  return { ...draft, projectId, common: others };
}
