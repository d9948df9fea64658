'use client';

import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { EndpointDialog, type EventChoice } from './endpoint-dialog';

export function AddEndpoint({ api, choices }: { api: string; choices: readonly EventChoice[] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" icon={<Plus className="size-4" />} onClick={() => setOpen(true)}>
        Add endpoint
      </Button>
      <EndpointDialog api={api} endpoint={null} choices={choices} open={open} onOpenChange={setOpen} />
    </>
  );
}
