import { renderDocument } from './document';
import { type Markup, markup } from './markup';
import { walletStyle } from './wallet-style';

/** A wallet that people pay from. `style` is what it has besides the shared one: `--accent` and its companions. */
export type Wallet = { name: string; initial: string; style: string };

/** Where a link of a notice leads, and what it says. */
export type NoticeLink = { href: string; label: string };

/** A page of a wallet: its card, and what a tester should know under it. */
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

/** For what can no longer be paid, and for an address without a payment. */
export function walletNotice(wallet: Wallet, title: string, text: string, link: NoticeLink | null): string {
  const content = markup`<div class="inside"><h1>${title}</h1>
<p class="text">${text}</p>
${link && markup`<a class="button main" href="${link.href}">${link.label}</a>`}
</div>`;
  return walletPage(wallet, title, content, null);
}
