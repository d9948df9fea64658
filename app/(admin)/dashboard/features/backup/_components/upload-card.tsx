'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { FileDrop } from '@/components/ui/file-drop';
import { Progress } from '@/components/ui/progress';
import { ApiError } from '@/lib/browser/api-client';
import { ensureReauthenticated } from '@/lib/browser/reauthentication';
import { sendFile } from '@/lib/browser/upload';
import { backupPath } from './page-texts';

/** Uploads a backup archive and opens its validation report. */
export function UploadCard() {
  const router = useRouter();
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState('');
  const [round, setRound] = useState(0);

  const send = async (file: File | null) => {
    if (!file) return;
    setError('');
    try {
      // Reauthenticates before the upload. Otherwise the server rejects the request and a large file is uploaded twice.
      if (!(await ensureReauthenticated())) return;
      setShare(0);
      const { id } = await sendFile<{ id: string }>(`${backupPath}/upload`, file, { onProgress: setShare });
      router.push(`${backupPath}?restore=${id}`, { scroll: false });
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause.message || `Upload failed (HTTP ${cause.status})`);
    } finally {
      setShare(null);
      setRound((count) => count + 1);
    }
  };

  return (
    <Card className="h-full">
      <CardHeader title="Restore" description="The archive is checked before anything changes." />
      <CardBody className="grid content-start gap-4">
        <FileDrop
          key={round}
          prompt="Choose an archive or drop it here"
          limits="An .lmbackup file from this installation, or from one with the same SECRET_KEYS, up to 50 GB"
          accept=".lmbackup,application/octet-stream"
          aria-label="Archive"
          disabled={share !== null}
          onFile={send}
        />
        {share === null ? null : (
          <div role="status" className="grid gap-1.5 text-muted text-sm">
            <Progress value={share * 100} label="Upload progress" />
            {share < 1 ? `Uploading: ${Math.floor(share * 100)} %` : 'Checking the archive…'}
          </div>
        )}
        {error ? <Alert tone="error">{error}</Alert> : null}
      </CardBody>
    </Card>
  );
}
