import { readStored, removeStored, writeStored } from '@/components/shell/browser-storage';
import { splitIds } from '@/lib/orders/options/offered-price';

export const emptyBrief = {
  targetUrl: '',
  anchor: '',
  writer: 'seller',
  words: '',
  notes: '',
  notBefore: '',
  rel: 'any',
  /** The id and name of an uploaded article; '' without one. */
  articleId: '',
  articleFileName: '',
  /** The ids of the chosen options of the site, with commas. */
  options: '',
};

/** The fields of a brief in a form, as texts. */
export type BriefTexts = typeof emptyBrief;

/** The fields that the user has edited. */
export type BriefEdit = Partial<BriefTexts>;

/** A brief in a request of the API. */
type BriefRequest = ReturnType<typeof toBriefRequest>;

/** The brief in the body of POST /api/orders. */
export type BriefsRequest = { brief?: BriefRequest };

/** Converts the texts of a form to a request. Absent texts stay absent; invalid ones are sent, and the server refuses them. */
export function toBriefRequest({ words, notBefore, articleId, articleFileName: _, options, ...texts }: BriefEdit) {
  return {
    ...texts,
    ...(options && { options: splitIds(options) }),
    ...(words !== undefined && { words: /^\d+$/.test(words.trim()) ? Number(words) : words.trim() || null }),
    ...(notBefore !== undefined && { notBefore: notBefore || null }),
    // An article does not apply while the seller writes. It stays in the form.
    ...(articleId !== undefined && texts.writer !== 'seller' && { articleId: articleId || null }),
  };
}

/** A draft of the brief of an order: what the user has edited. */
export type BriefDraft = {
  /** What the draft is for, e.g. the id of an order that is placed again. */
  subject: string;
  /** The project for which the target URL and the anchor were edited. */
  projectId: string;
  common: BriefEdit;
};

/**
 * Returns the key of a draft. Each way to order has its own draft. Signing out deletes it
 * (components/shell/browser-storage.ts).
 */
export const briefDraftKey = (userId: string, way: string): string => `brief_draft_${userId}_${way}`;

/** Reads a draft. A draft for another subject and invalid data are ignored. */
export function readBriefDraft(key: string, subject: string): BriefDraft {
  const draft = parseDraft(readStored(key));
  return draft?.subject === subject ? draft : { subject, projectId: '', common: {} };
}

export const writeBriefDraft = (key: string, draft: BriefDraft): void => writeStored(key, JSON.stringify(draft));
export const removeBriefDraft = (key: string): void => removeStored(key);

function parseDraft(text: string | null): BriefDraft | null {
  const { subject, projectId, common } = asRecord(parseJson(text));
  if (typeof subject !== 'string' || typeof projectId !== 'string') return null;
  return { subject, projectId, common: asEdit(common) };
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

const asRecord = (value: unknown): Partial<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const asEdit = (value: unknown): BriefEdit =>
  Object.fromEntries(
    Object.entries(asRecord(value)).filter(
      (entry): entry is [string, string] => Object.hasOwn(emptyBrief, entry[0]) && typeof entry[1] === 'string',
    ),
  );
