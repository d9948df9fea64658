import { formatAmount } from '@/sandbox/pages/format-amount';
import { markup } from '@/sandbox/pages/markup';
import { type NoticeLink, type Wallet, walletNotice, walletPage } from '@/sandbox/pages/wallet-page';
import type { TradeRecord } from './records';

const wechatPay: Wallet = {
  name: 'WeChat Pay',
  initial: 'W',
  style: `
:root { --accent: #0a7a3f; --accent-strong: #086534; --on-accent: #ffffff; --ground: #eef4f0; --round: 8px; }
@media (prefers-color-scheme: dark) {
  :root { --accent: #63d295; --accent-strong: #86e0ae; --on-accent: #05230f; --ground: #0b120e; }
}
.wallet > * { max-width: 400px; }
.card header .logo { border-radius: 8px; }
`,
};

/**
 * Renders the payment page of an open order on a phone.
 * @param action returns the URL of a button
 * @param back the target of Cancel; null when the shop is on another screen
 * @param consoleUrl URL of the gateway's controls
 */
export function payPage(
  trade: TradeRecord,
  action: (name: string) => string,
  back: string | null,
  consoleUrl: string,
): string {
  const total = formatAmount(trade.amount, trade.currency);
  const content = markup`<div class="inside">
<div class="sum"><h1>Pay LinkMarket</h1><p class="total">${total}</p></div>
${trade.state === 'PAYERROR' && markup`<p class="alert" role="alert">The payment failed. Nothing was charged; you can try again.</p>`}
<dl class="facts">
<div><dt>For</dt><dd>${trade.description}</dd></div>
<div><dt>Order</dt><dd class="mono">${trade.outTradeNo}</dd></div>
<div><dt>Pay with</dt><dd>Balance of the test account</dd></div>
</dl>
<form method="post" action="${action('pay')}"><button class="button main" type="submit">Pay ${total}</button></form>
<div class="others">
<form method="post" action="${action('later')}"><button class="button" type="submit">Pay later</button></form>
<form method="post" action="${action('fail')}"><button class="button" type="submit">Fail</button></form>
</div>
${back && markup`<a class="cancel" href="${back}">Cancel and return to LinkMarket</a>`}
</div>`;
  const hint = markup`<dl class="hint">
<div><dt>Sandbox:</dt> <dd>this page simulates WeChat Pay. No real money moves and no password is required.</dd></div>
<div><dt>Pay later</dt> <dd>leaves the payment undecided. It is settled on <a href="${consoleUrl}">the gateway’s page</a>.</dd></div>
</dl>`;
  return walletPage(wechatPay, `Pay ${total}`, content, hint);
}

/** Renders a notice for an order that can no longer be paid, or an unknown URL. */
export const noticePage = (title: string, text: string, link: NoticeLink | null): string =>
  walletNotice(wechatPay, title, text, link);
