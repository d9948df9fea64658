'use client';

import { Upload } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { FieldError } from '@/components/ui/field';
import { FileDrop } from '@/components/ui/file-drop';
import type { ProviderMode } from '@/db/schema/topups';
import { ApiError, apiFetch } from '@/lib/browser/api-client';

/** Uploads the merchant's private key for a mode, and displays whether one is stored. */
export function PrivateKey({ mode, isStored }: { mode: ProviderMode; isStored: boolean }) {
  const router = useRouter();
  const [file, setFile] = useState<File | null>(null);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [round, setRound] = useState(0);

  const choose = (chosen: File | null) => {
    const isPem = !chosen || /\.pem$/i.test(chosen.name);
    setFile(isPem ? chosen : null);
    setError(isPem ? null : 'The private key must be a .pem file.');
  };

  const send = async () => {
    if (!file) return;
    setPending(true);
    setError(null);
    const form = new FormData();
    form.append('private_key', file);
    try {
      await apiFetch(`/api/admin/payments/wechat/private-key?mode=${mode}`, { method: 'POST', body: form });
      toast.success('Private key uploaded.');
      setFile(null);
      setRound(round + 1);
      router.refresh();
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      setError(`Private key upload failed. ${cause.message}`.trim());
    } finally {
      setPending(false);
    }
  };

  return (
    <Card>
      <CardHeader
        title="Private key"
        description="Signs our calls to WeChat Pay."
        actions={isStored ? <Badge tone="green">Stored</Badge> : <Badge tone="yellow">Missing</Badge>}
      />
      <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <FileDrop
          key={round}
          prompt={isStored ? 'Choose a .pem file to replace it, or drop it here' : 'Choose a .pem file or drop it here'}
          limits="apiclient_key.pem, RSA, without a passphrase"
          accept=".pem"
          aria-label="Private key file"
          disabled={pending}
          onFile={choose}
        />
        {error ? <FieldError>{error}</FieldError> : null}
        {file ? (
          <Button className="justify-self-start" pending={pending} icon={<Upload className="size-4" />} onClick={send}>
            Upload private key
          </Button>
        ) : null}
      </CardBody>
    </Card>
  );
}
