'use client';

import { UploadCsv } from '@/components/sites/upload-csv';
import { redirectIfSignedOut } from '@/lib/browser/redirect-if-signed-out';

/** The maximum length of a displayed error message. */
const longest = 400;

export function UploadSites() {
  return (
    <UploadCsv
      path="/api/seller/sites/upload"
      templateHref="/seller/my-sites/template"
      onRefused={redirectIfSignedOut}
      success="✅ CSV uploaded."
      failure={(_, message) => `❌ Upload failed: ${message.slice(0, longest) || 'Unexpected error'}`}
    />
  );
}
