'use client';

import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { toast } from 'sonner';
import { Avatar } from '@/components/shell/avatar';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { ApiError, apiFetch } from '@/lib/browser/api-client';
import { sendFile } from '@/lib/browser/upload';

const address = '/api/profile/avatar';
/** Matches the server's limit. Checked in the browser to reject large files before the upload. */
const maxBytes = 1_000_000;

/** Uploads or removes the profile picture. Changes apply immediately. */
export function PictureCard({ name, avatar }: { name: string; avatar: string | null }) {
  const router = useRouter();
  const input = useRef<HTMLInputElement>(null);
  const [doing, setDoing] = useState<'upload' | 'remove' | null>(null);
  const [error, setError] = useState<string | null>(null);

  const change = async (what: 'upload' | 'remove', work: () => Promise<unknown>, done: string) => {
    setError(null);
    setDoing(what);
    try {
      await work();
      toast.success(done);
      router.refresh();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(cause.message || 'The picture couldn’t be saved. Please try again.');
    } finally {
      setDoing(null);
    }
  };

  const choose = (file: File | undefined) => {
    if (input.current) input.current.value = '';
    if (!file) return;
    if (file.size > maxBytes) setError('The picture is larger than 1 MB. Choose a smaller one.');
    else void change('upload', () => sendFile(address, file), 'Picture saved.');
  };

  return (
    <Card aria-labelledby="picture-heading">
      <CardHeader
        title={<span id="picture-heading">Picture</span>}
        description="PNG, JPEG or WebP, up to 1 MB. Cropped to a square."
      />
      <CardBody className="grid gap-4">
        {error ? <Alert tone="error">{error}</Alert> : null}
        <div className="flex flex-wrap items-center gap-4">
          <Avatar name={name} picture={avatar} className="size-16 text-xl" />
          <input
            ref={input}
            type="file"
            accept="image/png,image/jpeg,image/webp"
            aria-label="Picture file"
            className="sr-only"
            tabIndex={-1}
            onChange={(event) => choose(event.target.files?.[0])}
          />
          <div className="flex flex-wrap gap-2">
            <Button pending={doing === 'upload'} disabled={doing !== null} onClick={() => input.current?.click()}>
              {avatar ? 'Change picture' : 'Upload picture'}
            </Button>
            {avatar ? (
              <Button
                variant="ghost"
                pending={doing === 'remove'}
                disabled={doing !== null}
                onClick={() => void change('remove', () => apiFetch(address, { method: 'DELETE' }), 'Picture removed.')}
              >
                Remove
              </Button>
            ) : null}
          </div>
        </div>
      </CardBody>
    </Card>
  );
}
