'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { DownloadLink } from '@/components/orders/order-links';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { FileDrop } from '@/components/ui/file-drop';
import { Icon } from '@/components/ui/icon';
import { Progress } from '@/components/ui/progress';
import { ApiError } from '@/lib/browser/api-client';
import { sendFile } from '@/lib/browser/upload';
import type { AdminOrderView } from '@/lib/orders/contract';

/** Matches the server's limit. Checked in the browser to reject large files before the upload. */
const maxBytes = 25_000_000;
const tooLarge = 'The file is larger than 25 MB.';

/** Manages the selected file of an order's content. It is uploaded by its own button, or with the form beside it. */
export function useContentUpload(orderId: number) {
  const router = useRouter();
  const [file, setFile] = useState<File | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [round, setRound] = useState(0);

  const choose = (chosen: File | null) => {
    setFile(chosen);
    setError(chosen && chosen.size > maxBytes ? tooLarge : null);
  };

  /** Uploads the selected file. @returns why it was not uploaded, as `error` does; null if no file is left to upload */
  const send = async (): Promise<string | null> => {
    if (!file) return null;
    if (file.size > maxBytes) return tooLarge;
    setShare(0);
    setError(null);
    try {
      await sendFile(`/api/admin/orders/${orderId}/content`, file, { onProgress: setShare });
      toast.success('Content uploaded.');
      setFile(null);
      setRound(round + 1);
      router.refresh();
      return null;
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      const failure = cause.message || 'Failed to upload content';
      setError(failure);
      return failure;
    } finally {
      setShare(null);
    }
  };

  return { file, share, error, round, choose, send };
}

type ContentUploadProps = { order: AdminOrderView; upload: ReturnType<typeof useContentUpload> };

/** Downloads, uploads or replaces the delivered file of an order. */
export function ContentUpload({ order, upload: { file, share, error, round, choose, send } }: ContentUploadProps) {
  return (
    <section aria-labelledby="content-heading" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 id="content-heading" className="font-medium text-ink text-sm">
        Content
      </h3>
      {order.contentPath ? (
        <div className="flex items-center justify-between gap-3 rounded-md border border-line px-3 py-2">
          <span className="min-w-0 truncate text-sm">{order.contentFileName}</span>
          <DownloadLink href={order.contentPath} fileName={order.contentFileName} />
        </div>
      ) : null}
      <FileDrop
        key={round}
        prompt={order.contentPath ? 'Choose a file to replace it, or drop it here' : 'Choose a file or drop it here'}
        limits="Documents, text, images or ZIP, up to 25 MB"
        aria-label="Content file"
        disabled={share !== null}
        onFile={choose}
        className="py-3"
      />
      {error ? <FieldError>{error}</FieldError> : null}
      {share === null ? null : <Progress value={Math.round(share * 100)} label="Upload" />}
      {file && !(error && share === null && file.size > maxBytes) ? (
        <Button
          size="sm"
          className="justify-self-start"
          icon={<Icon name="upload" />}
          pending={share !== null}
          onClick={() => void send()}
        >
          {order.contentPath ? 'Replace content' : 'Upload content'}
        </Button>
      ) : null}
    </section>
  );
}
