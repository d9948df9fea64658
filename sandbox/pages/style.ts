/** Tokens and primitives of all pages; light and dark follow the system. */
export const baseStyle = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --panel: #ffffff; --ink: #151922; --soft: #566072; --line: #dfe3e9; --field: #c3cad4;
  --accent: #4338ca; --accent-strong: #372fa8; --on-accent: #ffffff; --wash: #f0f1f5;
  --good: #0b6b3c; --good-wash: #e3f4ea; --bad: #a8201a; --bad-wash: #fdeceb; --warn: #7a4b00; --warn-wash: #fdf1d8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0d1015; --panel: #151a21; --ink: #e9ecf1; --soft: #a0a9b7; --line: #29303b; --field: #3c4553;
    --accent: #a5adff; --accent-strong: #bcc2ff; --on-accent: #11142b; --wash: #1c222b;
    --good: #6fd6a0; --good-wash: #12301f; --bad: #ff9c94; --bad-wash: #3a1715; --warn: #f2c46d; --warn-wash: #33270c;
  }
}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 14px/20px system-ui, -apple-system, "Segoe UI", "Inter", Roboto, "Helvetica Neue", sans-serif;
  font-variant-numeric: tabular-nums; -webkit-font-smoothing: antialiased;
}
h1, h2, p, dl, dd, ul, ol, table { margin: 0; padding: 0; }
h1 { font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -0.01em; }
h2 { font-size: 14px; line-height: 20px; font-weight: 600; }
a { color: var(--accent); text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.soft { color: var(--soft); }
.mono { font: 12px/20px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
.button {
  display: inline-flex; align-items: center; justify-content: center; gap: 8px; min-height: 32px; padding: 4px 12px;
  border: 1px solid var(--field); border-radius: 8px; background: var(--panel); color: var(--ink);
  font: inherit; font-weight: 500; text-decoration: none; cursor: pointer;
}
.button:hover { background: var(--wash); }
.button.main { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; }
.button.main:hover { border-color: var(--accent-strong); background: var(--accent-strong); }
.badge {
  display: inline-flex; align-items: center; gap: 6px; padding: 0 8px; border-radius: 999px; white-space: nowrap;
  font-size: 12px; line-height: 22px; font-weight: 500; background: var(--wash); color: var(--soft);
}
.badge.good { background: var(--good-wash); color: var(--good); }
.badge.bad { background: var(--bad-wash); color: var(--bad); }
.badge.warn { background: var(--warn-wash); color: var(--warn); }
`;
