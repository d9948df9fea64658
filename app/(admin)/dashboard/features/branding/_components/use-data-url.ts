'use client';

import { useEffect, useState } from 'react';

/** An address that shows a chosen picture before it is sent; null until it is read, and for what cannot be read. */
export function useDataUrl(file: File | null | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return;
    const reader = new FileReader();
    reader.onload = () => setUrl(typeof reader.result === 'string' ? reader.result : null);
    reader.readAsDataURL(file);
    return () => {
      reader.onload = null;
      reader.abort();
      setUrl(null);
    };
  }, [file]);
  return url;
}
