import type { Mail } from './records';

/** Lists mails, newest first. @param to an address that must be among the recipients, case-insensitive; null for all */
export function findMails(mails: readonly Mail[], to: string | null): Mail[] {
  const requested = to?.trim().toLowerCase() ?? '';
  const found = requested === '' ? mails : mails.filter((mail) => recipients(mail).includes(requested));
  return found.toReversed();
}

function recipients(mail: Mail): string[] {
  return [...mail.to, ...mail.cc, ...mail.bcc].map(bareAddress);
}

/** Extracts "a@b.c" from "Name <A@b.c>". */
function bareAddress(address: string): string {
  return (/<([^<>]+)>\s*$/.exec(address)?.[1] ?? address).trim().toLowerCase();
}
