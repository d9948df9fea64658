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
  way: 'sites' | 'site' | 'package' | 'again';
  /** What the draft is for; a draft for another subject is discarded. */
  subject?: string;
  /** The selected project, whose target URL fills the form. */
  project: ProjectOption | undefined;
  /** Initial values that take precedence over the project's. */
  initial?: BriefEdit;
};

/** The brief of an order and its exceptions for sites, as the form of an order edits them. */
export type OrderBriefs = {
  common: BriefTexts;
  edit: (changes: BriefEdit) => void;
  /** The brief of a site, and whether it differs from the common one. */
  ofSite: (siteId: number) => { texts: BriefTexts; isOwn: boolean };
  editSite: (siteId: number, changes: BriefEdit) => void;
  /** Makes the common brief apply to a site again. */
  resetSite: (siteId: number) => void;
  /** Returns the briefs for POST /api/orders. */
  request: (siteIds: readonly number[]) => BriefsRequest;
  /** Deletes the draft, after the order. */
  clear: () => void;
  isUploading: boolean;
  setUploading: (isUploading: boolean) => void;
};

/**
 * Holds the briefs of an order. What the user edits is stored in the browser, and survives a reload and a visit to the
 * wallet. Use it only in components that are not rendered on the server.
 */
export function useBriefDraft({ userId, way, subject = '', project, initial }: BriefDraftOptions): OrderBriefs {
  const key = briefDraftKey(userId, way);
  const projectId = project?.id ?? '';
  const [stored, setStored] = useState(() => readBriefDraft(key, subject));
  const [uploads, setUploads] = useState(0);
  const draft = ['', projectId].includes(stored.projectId) ? { ...stored, projectId } : withoutLinks(stored, projectId);
  const common: BriefTexts = {
    ...emptyBrief,
    targetUrl: project?.targetUrl ?? '',
    ...initial,
    ...draft.common,
  };

  const write = (next: BriefDraft) => {
    setStored(next);
    writeBriefDraft(key, next);
  };
  const writeSite = (siteId: number, edit: BriefEdit) => {
    const { [siteId]: _, ...others } = draft.sites;
    write({ ...draft, sites: Object.keys(edit).length > 0 ? { ...others, [siteId]: edit } : others });
  };

  return {
    common,
    edit: (changes) => write({ ...draft, common: { ...draft.common, ...changes } }),
    ofSite: (siteId) => {
      const edit = draft.sites[siteId];
      return { texts: { ...common, ...edit }, isOwn: edit !== undefined };
    },
    editSite: (siteId, changes) => writeSite(siteId, differences({ ...draft.sites[siteId], ...changes }, common)),
    resetSite: (siteId) => writeSite(siteId, {}),
    request: (siteIds) => {
      const exceptions = siteIds.flatMap((id) => {
        const edit = draft.sites[id];
        if (!edit) return [];
        // With an article also the writer, because the article does not apply where the publisher writes.
        const { writer } = { ...common, ...edit };
        return [[id, toBriefRequest(edit.articleId === undefined ? edit : { ...edit, writer })] as const];
      });
      return {
        brief: toBriefRequest(common),
        ...(exceptions.length > 0 && { briefs: Object.fromEntries(exceptions) }),
      };
    },
    clear: () => {
      setStored({ subject, projectId: '', common: {}, sites: {} });
      removeBriefDraft(key);
    },
    isUploading: uploads > 0,
    setUploading: (isUploading) => setUploads((before) => before + (isUploading ? 1 : -1)),
  };
}

/** Removes what belongs to another project: the target URLs and anchors. */
function withoutLinks(draft: BriefDraft, projectId: string): BriefDraft {
  const reduce = ({ targetUrl: _url, anchor: _anchor, ...others }: BriefEdit) => others;
  const sites = Object.entries(draft.sites)
    .map(([id, edit]) => [id, reduce(edit)] as const)
    .filter(([, edit]) => Object.keys(edit).length > 0);
  return { ...draft, projectId, common: reduce(draft.common), sites: Object.fromEntries(sites) };
}

/** Returns the fields of an exception that differ from the common brief. */
function differences(edit: BriefEdit, common: BriefTexts): BriefEdit {
  const shared = new Map(Object.entries(common));
  return Object.fromEntries(Object.entries(edit).filter(([field, text]) => text !== shared.get(field)));
}
