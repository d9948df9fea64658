import { renderDocument } from './document';
import { type Markup, markup } from './markup';
import { walletStyle } from './wallet-style';

/** A buyer's wallet. `style` extends the shared style: `--accent` and related colors. */
export type Wallet = { name: string; initial: string; style: string };

/** Target and label of a notice's link. */
export type NoticeLink = { href: string; label: string };

/** Renders a wallet's page: the card, and a hint for testers below it. */
export function walletPage(
  { name, initial, style }: Wallet,
  title: string,
  content: Markup,
  hint: Markup | null,
): string {
  const body = markup`<main class="wallet"><div>
<div class="card">
<header><span class="logo" aria-hidden="true">${initial}</span>${name}<span class="badge warn">Sandbox</span></header>
${content}
</div>
${hint}
</div></main>`;
  return renderDocument(`${title} · ${name} sandbox`, walletStyle + style, body);
}

/** Renders a notice for a payment that can no longer be paid, or an unknown URL. */
export function walletNotice(wallet: Wallet, title: string, text: string, link: NoticeLink | null): string {
  const content = markup`<div class="inside"><h1>${title}</h1>
<p class="text">${text}</p>
${link && markup`<a class="button main" href="${link.href}">${link.label}</a>`}
</div>`;
  return walletPage(wallet, title, content, null);
}
