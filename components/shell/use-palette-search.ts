'use client';

import { useEffect, useState } from 'react';
import { callAction } from '@/lib/http/call-action';
import { ApiError } from '@/lib/http/client';
import type { PaletteHit } from '@/lib/search/palette';
import { searchPaletteAction } from '@/lib/search/palette-action';

/** Milliseconds of quiet before the server is asked. */
const quietMs = 200;
/** One letter finds everything. */
const minLetters = 2;

type Found = { for: string; hits: PaletteHit[]; failed: boolean };

/** What the server finds for a text: asked once typing rests, and an answer that comes late is nobody's. */
export function usePaletteSearch(text: string) {
  const q = text.trim();
  const isAsked = q.length >= minLetters;
  const [found, setFound] = useState<Found>({ for: '', hits: [], failed: false });

  useEffect(() => {
    if (!isAsked) return;
    let isLate = false;
    const timer = setTimeout(async () => {
      const answer = await callAction(searchPaletteAction({ q })).catch((cause: unknown) => {
        if (cause instanceof ApiError) return null;
        throw cause;
      });
      if (!isLate) setFound({ for: q, hits: answer ?? [], failed: answer === null });
    }, quietMs);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [q, isAsked]);

  // While a longer text is asked for, what the shorter one found stays in sight.
  return {
    hits: isAsked ? found.hits : [],
    isPending: isAsked && found.for !== q,
    failed: isAsked && found.for === q && found.failed,
  };
}
