/** The checkout: the items on one side, the payment on the other; one column below 860 px. */
export const checkoutStyle = `
.checkout { min-height: 100vh; display: grid; grid-template-columns: 1fr 1fr; }
.side { display: flex; padding: 64px 56px; }
.side > * { width: 100%; max-width: 400px; }
.summary { justify-content: flex-end; background: var(--ground); }
.payment { background: var(--panel); border-left: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 12px; margin-bottom: 40px; font-weight: 600; }
.brand .logo {
  display: grid; place-items: center; width: 32px; height: 32px; border-radius: 8px;
  background: var(--accent); color: var(--on-accent); font-size: 15px; font-weight: 700;
}
.brand .badge { margin-left: auto; }
.summary h1 { font-size: 15px; line-height: 24px; font-weight: 500; color: var(--soft); letter-spacing: 0; }
.total { font-size: 40px; line-height: 48px; font-weight: 600; letter-spacing: -0.02em; margin: 4px 0 32px; }
.items { list-style: none; }
.items li, .sum { display: flex; justify-content: space-between; gap: 16px; padding: 12px 0; border-top: 1px solid var(--line); }
.items strong { display: block; font-weight: 500; overflow-wrap: anywhere; }
.sum { font-weight: 600; }
.payment h2 { font-size: 18px; line-height: 24px; margin-bottom: 20px; }
.facts { border: 1px solid var(--line); border-radius: 10px; margin-bottom: 24px; }
.facts div { display: flex; justify-content: space-between; gap: 16px; padding: 12px 16px; }
.facts div + div { border-top: 1px solid var(--line); }
.facts dt { color: var(--soft); white-space: nowrap; }
.facts dd { text-align: right; overflow-wrap: anywhere; }
.payment .button { width: 100%; min-height: 40px; }
.payment .button.main { min-height: 48px; font-size: 16px; border-radius: 10px; }
.others { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; margin-top: 8px; }
.cancel { display: block; margin-top: 16px; padding: 8px; text-align: center; color: var(--soft); }
.hint { margin-top: 24px; padding-top: 16px; border-top: 1px solid var(--line); color: var(--soft); font-size: 13px; }
.hint div + div { margin-top: 8px; }
.hint dt { display: inline; color: var(--ink); font-weight: 500; }
.hint dd { display: inline; }
.alert { padding: 12px 16px; border-radius: 10px; margin-bottom: 20px; background: var(--bad-wash); color: var(--bad); }
.notice { min-height: 100vh; display: grid; place-items: center; padding: 24px; }
.notice main { width: 100%; max-width: 420px; padding: 32px; border: 1px solid var(--line); border-radius: 14px; background: var(--panel); }
.notice .brand { margin-bottom: 28px; }
.notice p { margin: 8px 0 24px; color: var(--soft); }
.notice .button { width: 100%; min-height: 44px; }
@media (max-width: 859px) {
  .checkout { grid-template-columns: 1fr; grid-template-rows: auto 1fr; }
  .side { padding: 24px 20px 32px; justify-content: center; }
  .payment { border-left: 0; border-top: 1px solid var(--line); }
  .brand { margin-bottom: 24px; }
  .total { font-size: 34px; line-height: 40px; margin-bottom: 20px; }
}
`;
