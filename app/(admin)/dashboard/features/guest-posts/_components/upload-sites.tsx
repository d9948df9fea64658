'use client';

import { UploadCsv } from '@/components/sites/upload-csv';

export function UploadSites() {
  return (
    <UploadCsv
      path="/api/guest-posts/upload"
      templateHref="/dashboard/features/guest-posts/template"
      success="CSV uploaded."
      failure={(status, message) => message || `Upload failed (HTTP ${status})`}
    />
  );
}
