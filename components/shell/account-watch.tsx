'use client';

import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import { retryChunk } from '@/components/ui/retry-chunk';
import { accountCookie } from '@/lib/access/account-choice';
import { setLostAccountHandler } from '@/lib/browser/api-client';

/** Loaded when one of them opens, which is rare. */
const loadDialogs = () => import('./account-dialogs');
const SwitchedDialog = dynamic(
  retryChunk(() => loadDialogs().then((module) => module.SwitchedDialog)),
  { ssr: false },
);
const LostAccountDialog = dynamic(
  retryChunk(() => loadDialogs().then((module) => module.LostAccountDialog)),
  { ssr: false },
);

type AccountWatchProps = {
  userId: string;
  /** The account that the page was rendered for. */
  accountId: string;
  /** Its name, if it is not the personal account of the user. */
  team: string | undefined;
  /** The account that the request asked for; another one than `accountId` when the user is no member of it. */
  askedId: string;
  /** The names of the user's accounts, by id. */
  names: Readonly<Record<string, string>>;
};

/** When another tab has switched, asks which account to continue with; when the membership has ended, says so. */
export function AccountWatch({ userId, accountId, team, askedId, names }: AccountWatchProps) {
  const [switchedTo, setSwitchedTo] = useState<string | null>(null);
  const [isLost, setLost] = useState(false);

  useEffect(() => setLostAccountHandler(async () => setLost(true)), []);

  useEffect(() => {
    if (askedId !== accountId && readChoice() === askedId) setLost(true);
    const check = () => {
      const chosen = readChoice() || userId;
      setSwitchedTo(chosen === accountId ? null : chosen);
    };
    // Before this page listens, because its own messages reach it too.
    tellOtherTabs();
    const tabs = new BroadcastChannel(accountCookie);
    tabs.addEventListener('message', check);
    document.addEventListener('visibilitychange', check);
    // A page from the back/forward cache.
    window.addEventListener('pageshow', check);
    return () => {
      tabs.close();
      document.removeEventListener('visibilitychange', check);
      window.removeEventListener('pageshow', check);
    };
  }, [userId, accountId, askedId]);

  const nameOf = (id: string) => names[id] ?? 'another account';
  if (isLost) return <LostAccountDialog userId={userId} name={team} onClose={() => setLost(false)} />;
  if (switchedTo === null || switchedTo === accountId) return null;
  return (
    <SwitchedDialog
      page={{ id: accountId, name: nameOf(accountId) }}
      chosen={nameOf(switchedTo)}
      onKept={() => {
        setSwitchedTo(null);
        tellOtherTabs();
      }}
    />
  );
}

/** Lets the other tabs compare the choice of this browser with their pages. */
function tellOtherTabs(): void {
  const tabs = new BroadcastChannel(accountCookie);
  tabs.postMessage(null);
  tabs.close();
}

/** Reads the choice of this browser; '' without one. */
function readChoice(): string {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${accountCookie}=`));
  return found ? decodeURIComponent(found.slice(accountCookie.length + 1)) : '';
}
