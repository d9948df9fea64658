'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import type { LinkVerdict } from '@/db/schema/links';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import { verdictNames } from '@/lib/links/describe-reason';

type CheckNowProps = { path: string; label: string /** For a list: names the order as well. */; 'aria-label'?: string };

/** Checks a link at once and shows the result. */
export function CheckNow({ path, label, 'aria-label': name }: CheckNowProps) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const check = async () => {
    setPending(true);
    try {
      const { verdict } = await apiFetch<{ verdict: LinkVerdict }>(path, { method: 'POST' }).catch(redirectIfSignedOut);
      toast[verdict === 'ok' ? 'success' : 'warning'](`Checked: ${verdictNames[verdict]}`);
      router.refresh();
    } catch (thrown) {
      toast.error(thrown instanceof Error ? thrown.message : 'The link could not be checked. Please try again.');
    } finally {
      setPending(false);
    }
  };
  return (
    <Button size="sm" pending={pending} onClick={check} aria-label={name} className="whitespace-nowrap">
      {label}
    </Button>
  );
}
