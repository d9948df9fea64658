/**
 * Style of the wallet pages of PayPal and WeChat: a card with the amount, the payment method and the button. Each
 * defines `--accent` and related colors.
 */
export const walletStyle = `
.wallet { min-height: 100vh; display: grid; place-items: center; padding: 32px 20px; }
.wallet > * { width: 100%; max-width: 440px; }
.card { border: 1px solid var(--line); border-radius: 16px; background: var(--panel); overflow: hidden; }
.card header { display: flex; align-items: center; gap: 12px; padding: 16px 24px; border-bottom: 1px solid var(--line); font-weight: 600; }
.card header .logo { display: grid; place-items: center; width: 32px; height: 32px; background: var(--accent); color: var(--on-accent); font-size: 15px; font-weight: 700; }
.card header .badge { margin-left: auto; }
.card .inside { padding: 28px 24px 24px; }
.sum { text-align: center; margin-bottom: 24px; }
.sum h1 { font-size: 15px; line-height: 24px; font-weight: 500; color: var(--soft); letter-spacing: 0; }
.sum .total { font-size: 40px; line-height: 48px; font-weight: 600; letter-spacing: -0.02em; margin-top: 4px; overflow-wrap: anywhere; }
.facts { border: 1px solid var(--line); border-radius: 10px; margin-bottom: 20px; }
.facts div { display: flex; justify-content: space-between; gap: 16px; padding: 12px 16px; }
.facts div + div { border-top: 1px solid var(--line); }
.facts dt { color: var(--soft); white-space: nowrap; }
.facts dd { text-align: right; overflow-wrap: anywhere; }
.card .button { width: 100%; min-height: 40px; }
.card .button.main { min-height: 48px; font-size: 16px; border-radius: var(--round, 10px); }
.others { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; margin-top: 8px; }
.cancel { display: block; margin-top: 16px; padding: 8px; text-align: center; color: var(--soft); }
.card .text { margin: 8px 0 24px; color: var(--soft); }
.hint { margin-top: 20px; padding: 0 8px; color: var(--soft); font-size: 13px; }
.hint div + div { margin-top: 8px; }
.hint dt { display: inline; color: var(--ink); font-weight: 500; }
.hint dd { display: inline; }
.alert { padding: 12px 16px; border-radius: 10px; margin-bottom: 20px; background: var(--bad-wash); color: var(--bad); }
@media (max-width: 479px) {
  .wallet { place-items: start center; padding: 0 0 24px; }
  .card { border-width: 0 0 1px; border-radius: 0; }
  .hint { padding: 0 24px; }
  .sum .total { font-size: 36px; }
}
`;
