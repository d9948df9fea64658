import { consolePage } from './console';
import { formatAmount } from './format-amount';
import { type Markup, markup } from './markup';

export type OpenCode = { code: string; description: string; amount: number; currency: string };

/** Replaces a phone: lists the codes that can be scanned, with a field for a code. */
export function scanPage(codes: readonly OpenCode[], unknown: string | null): string {
  const content = markup`<section>
<div class="head"><h1>Scan a WeChat Pay code</h1></div>
<div class="panel pad">
${unknown !== null && markup`<p class="alert" role="alert">No order matches the code ${unknown}.</p>`}
<form class="filter" method="get" action="/scan"><input name="code_url" value="${unknown}" placeholder="weixin://wxpay/bizpayurl?pr=…" aria-label="Code" required><button class="button main" type="submit">Open</button></form>
</div>
</section>
<section>
<div class="head"><h2>Codes waiting for a phone</h2></div>
<div class="panel">${codeTable(codes)}</div>
</section>`;
  return consolePage('Scan', '/scan', content);
}

function codeTable(codes: readonly OpenCode[]): Markup {
  if (codes.length === 0) return markup`<p class="empty">No codes are waiting.</p>`;
  const rows = codes.map(
    ({ code, description, amount, currency }) => markup`<tr>
<td>${description}<span class="soft mono">${code}</span></td>
<td>${formatAmount(amount, currency)}</td>
<td class="right"><div class="acts"><a class="button" href="/scan?code_url=${encodeURIComponent(code)}">Scan</a></div></td>
</tr>`,
  );
  return markup`<table><thead><tr><th scope="col">Code</th><th scope="col">Amount</th><th scope="col" class="right">Actions</th></tr></thead><tbody>${rows}</tbody></table>`;
}
