'use client';

import { useState } from 'react';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import type { PageFacts, SuggestedTexts } from './snippet';

/** Which button waits for its answer. */
export type Asking = 'suggest' | 'rewrite' | null;

/** Asks for a title and a description; null when there is none, and `error` then says why. */
export function useSuggestions() {
  const [asking, setAsking] = useState<Asking>(null);
  const [error, setError] = useState<string | null>(null);
  const ask = async (why: Exclude<Asking, null>, page: PageFacts): Promise<SuggestedTexts | null> => {
    setAsking(why);
    setError(null);
    try {
      return await apiFetch<SuggestedTexts>('/api/tools/seo/suggest', { method: 'POST', body: page });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause.message || 'Failed to get suggestions.');
      return null;
    } finally {
      setAsking(null);
    }
  };
  return { asking, error, ask, clearError: () => setError(null) };
}
